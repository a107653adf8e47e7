import RulesEngine
import RulesSyntax
import RulesValues

/// The rules, requests and texts that are measured.
enum Cases {
  static let time = Timestamp(seconds: 1_767_225_600)

  /// The typical owner-and-validation rule.
  static let ownerRule = """
    request.auth != null && request.auth.uid == userId
              && request.resource.data.keys().hasOnly(['title', 'body', 'stars'])
              && request.resource.data.title is string && request.resource.data.title.size() < 100
    """

  /// A ruleset with `count` match blocks, of which the last is the one that the request is for.
  static func rules(blocks count: Int, rule: String = ownerRule) -> String {
    var text = "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"
    for i in 1..<max(count, 1) {
      text += """
            match /collection\(i)/{id} {
              allow read: if request.auth != null && request.auth.uid == resource.data.owner;
            }

        """
    }
    text += """
          match /users/{userId} {
            allow create: if \(rule);
          }
        }
      }

      """
    return text
  }

  static let path = ResourcePath(segments: ["users", "alice"])

  static func create(uid: String) -> Request {
    .create(
      path, ["title": .string("Groceries"), "body": .string("Bread, milk, apples"), "stars": .int(4)], ifAbsent: true,
      auth: Auth(
        uid: uid,
        token: [
          "sub": .string(uid), "email": .string("alice@example.com"), "email_verified": .bool(true),
          "firebase": .map(["sign_in_provider": .string("password")]),
        ]),
      time: time)
  }

  /// A rules file of about `lines` lines as people write them: functions, matches, conditions of some length.
  static func rulesFile(lines: Int) -> String {
    var text = "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"
    var written = 3
    var i = 0
    while written + 12 <= lines {
      text += """
            match /collection\(i)/{id} {
              function isOwner\(i)(data) {
                let owner = data.get('owner', '');
                return request.auth != null && request.auth.uid == owner;
              }
              allow get, list: if isOwner\(i)(resource.data) || resource.data.visibility in ['public', 'unlisted'];
              allow create: if isOwner\(i)(request.resource.data)
                && request.resource.data.keys().hasOnly(['owner', 'title', 'visibility'])
                && request.resource.data.title is string && request.resource.data.title.size() <= \(i % 100 + 10);
              allow update, delete: if isOwner\(i)(resource.data);
            }

        """
      written += 11
      i += 1
    }
    return text + "  }\n}\n"
  }

  /// The same request as text, 500 bytes.
  static let requestText = """
    {
      "method": "create",
      "path": "/users/alice",
      "time": "2026-01-01T00:00:00Z",
      "auth": {
        "uid": "alice",
        "token": {
          "sub": "alice", "email": "alice@example.com", "email_verified": true, "auth_time": 1767225000,
          "iss": "https://securetoken.google.com/demo-project", "aud": "demo-project",
          "firebase": {"sign_in_provider": "password"}
        }
      },
      "data": {
        "title": "Groceries", "stars": 4, "body": "Bread, milk, apples, and a cake for all the children"
      }
    }
    """

  /// A test file of `count` tests with one request each.
  static func suite(cases count: Int) -> String {
    var text = ""
    for i in 0..<count {
      let verdict = i.isMultiple(of: 2) ? "allow" : "deny"
      let caller = i.isMultiple(of: 2) ? "alice" : "bob"
      text += """
        test 'case \(i)' {
          \(verdict) create /users/alice { title: 'Groceries', stars: \(i) } as \(caller);
        }

        """
    }
    return "user alice = password({ uid: 'alice' });\nuser bob = password({ uid: 'bob' });\n" + text
  }
}
