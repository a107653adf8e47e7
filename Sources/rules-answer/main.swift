#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// Answers questions about rules as JSON lines, for `make parity`: one question a line in, one answer a line out.
var session = Session()
while let line = readLine() {
  guard !line.isEmpty else { continue }
  print(Answer.line(to: line, &session))
  // Whoever asks waits for the answer, and a pipe is buffered otherwise.
  fflush(nil)
}
