#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

enum Machine {
  /// How much can be done at once.
  static var cores: Int { max(1, min(64, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
