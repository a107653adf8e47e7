import LocalFirestore
import RulesEngine
import RulesValues

let ruleset = try Ruleset(
  """
  rules_version = '2';
  service cloud.firestore {
    match /databases/{database}/documents {
      match /users/{uid} {
        allow get: if request.auth != null && request.auth.uid == uid && resource.data.open == true;
      }
    }
  }
  """)
let path = ResourcePath(segments: ["users", "alice"])
let documents: DocumentTable = [path: ["open": .bool(true)]]
for uid in ["alice", "mallory"] {
  let request = Request.get(path, auth: Auth(uid: uid), time: Timestamp(seconds: 1_767_225_600))
  let decision = ruleset.decide(request, documents)
  print("consumer:", uid, decision.isAllowed ? "may" : "may not: \(decision.denial?.message ?? "")")
}

let firestore = LocalFirestore(rules: ruleset)
try firestore.admin().set("/users/alice", ["open": true])
let document = try firestore.client(as: "alice").get("/users/alice")
let denial = try firestore.client(as: nil).denial(of: .get("/users/alice"))
print("consumer:", document?["open"]?.boolValue == true ? "read" : "not read", denial?.explanation ?? "")
