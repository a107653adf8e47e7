import LocalFirestore
import Testing

@Test func `alice reads her own notes only`() async throws {
  let firestore = try LocalFirestore(
    rules: """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /users/{uid} {
            allow read, update: if request.auth.uid == uid;
          }
          match /notes/{note} {
            allow read: if resource.data.owner == request.auth.uid;
          }
        }
      }
      """)
  try await firestore.admin().set("/users/alice", ["name": "Alice", "visits": 1])

  let alice = firestore.client(as: "alice")
  #expect(try alice.allows(.get("/users/alice")))
  #expect(try !alice.allows(.get("/users/bob")))
  try await alice.update("/users/alice", ["visits": .increment(1), "seen.at": .serverTimestamp])

  let notes = try alice.collection("notes")
  let denial = try #require(try alice.denial(of: .list(notes)))
  #expect(denial.suggestion == "where owner == 'alice'")
  let mine = notes.where("owner", .equal, "alice").order(by: "title").limit(10)
  #expect(try await alice.query(mine).isEmpty)
}
