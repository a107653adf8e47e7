import Foundation

/// Runs a piece of work on a thread with the stack that secondary threads have on the smallest of platforms, 512 KiB:
/// recursion that follows the input overflows it and ends the process.
func onSmallStack<T: Sendable>(_ work: @escaping @Sendable () -> T) -> T? {
  let box = Box<T>()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    box.result = work()
    done.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  done.wait()
  return box.result
}

private final class Box<T>: @unchecked Sendable {
  // Written before the semaphore is signalled, read after.
  var result: T?
}
