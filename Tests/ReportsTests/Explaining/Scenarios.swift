/// Requests whose explanations are golden tests.
enum Scenarios {
  static let owner = """
    match /users/{uid}/lists/{id} {
      allow read: if request.auth != null && request.auth.uid == uid;
    }
    match /{document=**} {
      allow read, write: if false;
    }
    """

  static let profile = """
    function isText(value, shortest, longest) {
      return value is string && value.size() >= shortest && value.size() <= longest;
    }
    function isProfile(data) {
      let keys = data.keys();
      // A comment in the middle of it.
      return keys.hasOnly(['name', 'bio', 'age'])
        && isText(data.name, 1, 10)
        && (!('bio' in data) || isText(data.bio, 0, 20))
        && data.get('age', 18) >= 18;
    }
    match /profiles/{uid} {
      allow create: if request.auth.uid == uid && isProfile(request.resource.data);
    }
    """

  static let all: [Scenario] = [
    Scenario(name: "owner-allowed", rules: owner, tests: step("deny get /users/alice/lists/a as alice")),
    Scenario(name: "owner-stranger", rules: owner, tests: step("allow get /users/alice/lists/a as bob")),
    Scenario(name: "owner-signed-out", rules: owner, tests: step("allow get /users/alice/lists/a as nobody")),
    Scenario(name: "always-false", rules: owner, tests: step("allow delete /other/x as alice")),
    Scenario(
      name: "no-match", rules: "match /users/{uid}/lists/{id} {\n  allow read: if true;\n}",
      tests: step("allow get /users/alice as alice")),
    Scenario(
      name: "other-methods", rules: "match /users/{uid} {\n  allow get;\n  allow list: if true;\n}",
      tests: step("allow delete /users/alice as alice")),
    Scenario(
      name: "always-allowed", rules: "match /users/{uid} {\n  allow get;\n  allow read: if uid == 'x';\n}",
      tests: step("deny get /users/alice as nobody")),
    Scenario(
      name: "absent-claim", rules: "match /a/{id} {\n  allow get: if request.auth.token.admin == true;\n}",
      tests: step("allow get /a/x as alice")),
    Scenario(
      name: "null-resource", rules: "match /a/{id} {\n  allow get: if resource.data.open == true || 1 / 0 == 1;\n}",
      tests: step("allow get /a/x as alice")),
    Scenario(name: "functions", rules: profile, tests: step("allow create /profiles/alice { name: 'Alice the Great' } as alice")),
    Scenario(
      name: "guarded-alternative", rules: profile,
      tests: step("allow create /profiles/alice { name: 'Alice', bio: 5 } as alice")),
    Scenario(
      name: "wrong-type", rules: "match /a/{id} {\n  allow create: if request.resource.data.name.matches('[a-z]+');\n}",
      tests: step("allow create /a/x { name: 5 } as alice")),
    Scenario(
      name: "pattern", rules: "match /a/{id} {\n  allow create: if request.resource.data.name.matches('[a-z]+');\n}",
      tests: step("allow create /a/x { name: 'Alice' } as alice")),
    Scenario(
      name: "missing-member",
      rules: """
        match /teams/{team} {
          function role() {
            return get(/databases/$(database)/documents/teams/$(team)/members/$(request.auth.uid)).data.role;
          }
          allow get: if exists(/databases/$(database)/documents/teams/$(team)/members/$(request.auth.uid))
            && role() in ['owner', 'member'];
        }
        """, tests: step("allow get /teams/red as bob")),
    Scenario(
      name: "wrong-role",
      rules: """
        match /teams/{team} {
          function role() {
            return get(/databases/$(database)/documents/teams/$(team)/members/$(request.auth.uid)).data.role;
          }
          allow get: if role() in ['owner', 'member'];
        }
        """, tests: "given /teams/red/members/bob { role: 'guest' };\n" + step("allow get /teams/red as bob")),
    Scenario(
      name: "ternary-and-index",
      rules: """
        match /a/{id} {
          allow create: if (request.resource.data.tags.size() > 1
            ? request.resource.data.tags[1] == 'b'   // the second
            : false) || request.resource.data.tags[0:1] == ['z'];
        }
        """, tests: step("allow create /a/x { tags: ['a', 'c'] } as alice")),
    Scenario(
      name: "hostile-names",
      rules: "match /a/{id} {\n  allow get: if id == '日本🙂' && 'x' == 'y';\n}",
      tests: step("allow get /a/$('日本\\u202e\\u001b[31m') as alice")),
    Scenario(
      name: "hundred-nodes",
      rules: "match /a/{id} {\n  allow get: if "
        + (1...40).map { "id != 'n\($0)'" }.joined(separator: " && ") + " && id == 'y';\n}",
      tests: step("allow get /a/x as alice")),
    Scenario(
      name: "hundred-lines",
      rules: "match /a/{id} {\n  allow get: if "
        + (1...60).map { "id != 'n\($0)'" }.joined(separator: "\n    && ") + "\n    && id == 'y';\n}",
      tests: step("allow get /a/x as alice")),
    Scenario(
      name: "conjunction-held",
      rules: """
        match /a/{id} {
          function isUser() { return request.auth != null; }
          function isSmall() { return id.size() < 10; }
          allow get: if isUser() && isSmall();
        }
        """, tests: step("deny get /a/x as alice")),
  ]

  private static func step(_ text: String) -> String { "test 't' { \(text); }" }
}
