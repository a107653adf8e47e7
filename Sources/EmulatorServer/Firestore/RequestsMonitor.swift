import JSON
import LocalFirestore
import Reports
import RulesEngine
import Synchronization

/// The last requests that rules have judged, and those who watch them come. Refusals are explained; allowed requests
/// only while somebody watches, since an explanation takes longer than a decision.
public final class RequestsMonitor: RequestObserver {
  /// Requests that are kept.
  static let kept = 500

  private struct State: Sendable {
    /// A ring: the oldest is at `count % kept` once it is full.
    var calls: [Entry] = []
    var count = 0
    var watchers: [Int: HTTPStream] = [:]
    var nextWatcher = 0
  }

  private struct Entry: Sendable {
    let number: Int
    let call: JudgedCall

    var json: JSONValue {
      guard case .object(var object) = call.json else { return .null }
      object["id"] = .int(Int64(number))
      return .object(object)
    }
  }

  private let state = Mutex(State())
  private let watcherCount = Atomic<Int>(0)

  public func wantsExplanation(of decision: Decision) -> Bool {
    !decision.isAllowed || watcherCount.load(ordering: .relaxed) > 0
  }

  public func judged(_ call: JudgedCall) {
    let (entry, watchers) = state.withLock { state in
      let entry = Entry(number: state.count + 1, call: call)
      if state.calls.count < Self.kept {
        state.calls.append(entry)
      } else {
        state.calls[state.count % Self.kept] = entry
      }
      state.count += 1
      return (entry, Array(state.watchers.values))
    }
    guard !watchers.isEmpty else { return }
    let event = Self.event(entry)
    for watcher in watchers { watcher.write(event) }
  }

  func clear() {
    state.withLock { state in
      state.calls = []
      state.count = 0
    }
  }

  private static func event(_ entry: Entry) -> [UInt8] {
    Array("id: \(entry.number)\ndata: \(entry.json.serialized())\n\n".utf8)
  }

  private var entries: [Entry] {
    state.withLock { state in
      guard state.calls.count == Self.kept else { return state.calls }
      let oldest = state.count % Self.kept
      return Array(state.calls[oldest...] + state.calls[..<oldest])
    }
  }

  /// `{"requests": […]}`, the oldest first.
  var json: JSONValue { ["requests": .array(entries.map(\.json))] }

  /// Sends what is known, and from then on each request as it is judged.
  func watch(_ stream: HTTPStream) {
    let number = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = stream
      return state.nextWatcher
    }
    watcherCount.wrappingAdd(1, ordering: .relaxed)
    stream.onClose { [self] in
      _ = state.withLock { $0.watchers.removeValue(forKey: number) }
      watcherCount.wrappingSubtract(1, ordering: .relaxed)
    }
    stream.write(Array("retry: 1000\n\n".utf8) + entries.flatMap(Self.event))
  }
}
