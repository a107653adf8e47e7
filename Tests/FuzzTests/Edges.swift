import FuzzProperties
import Testing

/// What `make fuzz-edges` does with megabytes, small enough for a debug build.
@Suite struct Edges {
  @Test(arguments: Edge.all)
  func `a text that is made to hurt gets its answer on a small stack`(_ edge: Edge) {
    let broken = onSmallStack { () -> String in
      do throws(BrokenProperty) {
        _ = try edge.check(bytes: 20_000)
        return ""
      } catch {
        return error.description
      }
    }
    #expect(broken == "")
  }
}
