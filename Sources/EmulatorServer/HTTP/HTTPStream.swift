import Synchronization

/// The body of an answer that goes on: what is written is sent as one chunk each, for as long as the client listens.
/// May be used from any thread.
public final class HTTPStream: Sendable {
  struct State: Sendable {
    var pending: [UInt8] = []
    /// The answer is complete.
    var isFinished = false
    /// The client is gone.
    var isClosed = false
    var onClose: (@Sendable () -> Void)?
  }

  /// What is written and not sent yet may be so long; a client that falls further behind is dropped.
  static let mostPending = 4 << 20

  private let state = Mutex(State())
  /// Tells the worker that there is something to send.
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Sends bytes. Says whether anybody listens still.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    let isOpen = state.withLock { state in
      guard !state.isClosed, !state.isFinished else { return false }
      if state.pending.count + bytes.count > Self.mostPending {
        state.isFinished = true
        return false
      }
      state.pending += bytes
      return true
    }
    wake()
    return isOpen
  }

  /// Ends the answer.
  public func finish() {
    state.withLock { $0.isFinished = true }
    wake()
  }

  /// What is to be done when nobody listens any more; at once if that is so.
  public func onClose(_ body: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.onClose = body }
      return state.isClosed
    }
    if isClosed { body() }
  }

  // MARK: For the worker

  /// Takes what is to be sent, and whether that was the last.
  func take() -> (bytes: [UInt8], isLast: Bool) {
    state.withLock { state in
      defer { state.pending = [] }
      return (state.pending, state.isFinished)
    }
  }

  func close() {
    let body = state.withLock { state in
      state.isClosed = true
      defer { state.onClose = nil }
      return state.onClose
    }
    body?()
  }
}
