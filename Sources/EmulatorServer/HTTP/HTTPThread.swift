#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Threads with as much stack as the main one: deeply nested rules and data want it. Only what is used takes memory.
enum HTTPThread {
  private static let stackBytes = 16 << 20

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// - Parameter isJoined: whether somebody will wait for its end.
  /// - Returns: nil where the system has no more threads.
  static func start(isJoined: Bool = false, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    if !isJoined { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
    var thread = pthread_t()
    let held = Unmanaged.passRetained(Work(body)).toOpaque()
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, held)
    guard result == 0 else {
      Unmanaged<Work>.fromOpaque(held).release()
      return nil
    }
    return thread
  }
}
