import FuzzProperties
import Glibc

/// What libFuzzer calls for each input. The target's name stands in the environment.
private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    print("FUZZ_TARGET is '\(name)'; expected one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(2)
  }
  return target
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  do throws(BrokenProperty) {
    try target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    print("\nBroken property: \(error)")
    fflush(stdout)
    abort()
  }
  return 0
}
