extension Mistake {
  /// About documents, time, paths and the rules themselves.
  static let worlds: [Mistake] = [
    Mistake(
      "get of a missing document",
      rules:
        "    match /a/{id} { allow get: if get(/databases/$(database)/documents/settings/site).data.open == true; }",
      head: "given /a/x { n: 1 };", step: "get /a/x as alice", cause: "/databases/(default)/documents/settings/site",
      fix: "have the document /settings/site {'open': true}",
      mended: .init(head: "given /a/x { n: 1 }; given /settings/site { open: true };")),
    Mistake(
      "role document missing",
      rules: """
            function role() { return get(/databases/$(database)/documents/roles/$(request.auth.uid)).data.role; }
            match /a/{id} { allow get: if role() == 'editor'; }
        """,
      head: "given /a/x { n: 1 };", step: "get /a/x as alice", cause: "/databases/(default)/documents/roles/alice",
      fix: "have the document /roles/alice {'role': 'editor'}",
      mended: .init(head: "given /a/x { n: 1 }; given /roles/alice { role: 'editor' };")),
    Mistake(
      "exists",
      rules:
        "    match /a/{id} { allow get: if exists(/databases/$(database)/documents/members/$(request.auth.uid)); }",
      head: "given /a/x { n: 1 };", step: "get /a/x as bob",
      cause: "There is no document /databases/(default)/documents/members/bob.",
      fix: "have the document /members/bob {}", mended: .init(head: "given /a/x { n: 1 }; given /members/bob {};")),
    Mistake(
      "negated exists",
      rules:
        "    match /a/{id} { allow create: if !exists(/databases/$(database)/documents/banned/$(request.auth.uid)); }",
      head: "given /banned/bob { since: 1 };", step: "create /a/x { n: 1 } as bob",
      cause: "exists(/databases/$(database)/documents/banned",
      fix: "have no document /banned/bob", mended: .init(head: "given /banned/carl { since: 1 };")),
    Mistake(
      "member list",
      rules: "    match /a/{id} { allow get: if request.auth.uid in resource.data.members; }",
      head: "given /a/x { members: ['alice'] };", step: "get /a/x as bob",
      cause: "request.auth.uid is 'bob', which is not in ['alice'].",
      fix: "ask as 'alice'", mended: .init(step: "get /a/x as alice")),
    Mistake(
      "clock",
      rules: "    match /a/{id} { allow get: if request.time < resource.data.until; }",
      head: "given /a/x { until: timestamp.date(2025, 12, 31) };", step: "get /a/x as alice",
      cause: "request.time < resource.data.until does not hold",
      fix: "have /a/x hold until: timestamp.value('2026-01-01T00:00:01Z')",
      mended: .init(head: "given /a/x { until: timestamp.value(1767225601000) };")),
    Mistake(
      "client's time for the server's",
      rules: "    match /a/{id} { allow create: if request.resource.data.created == request.time; }",
      step: "create /a/x { created: timestamp.date(2025, 12, 31) } as alice",
      cause:
        "request.resource.data.created is timestamp.date(2025, 12, 31), but request.time is timestamp.date(2026, 1, 1).",
      fix: "write created: request.time",
      mended: .init(step: "create /a/x { created: request.time } as alice")),
    Mistake(
      "glob of version 1", version: "// No version.",
      rules: "    match /users/{uid}/{rest=**} { allow get: if request.auth.uid == uid; }",
      head: "given /users/alice { n: 1 };", step: "get /users/alice as alice",
      cause: "No match block covers /users/alice",
      fix: "begin the rules with rules_version = '2';", mended: .init(version: "rules_version = '2'; // No version.")),
    Mistake(
      "resource for request.resource",
      rules: "    match /a/{id} { allow create: if resource.data.owner == request.auth.uid; }",
      step: "create /a/x { owner: 'alice' } as alice", cause: "resource is null here",
      fix: "in line 4 write request.resource for resource",
      mended: .init(rules: "    match /a/{id} { allow create: if request.resource.data.owner == request.auth.uid; }")),
    Mistake(
      "precedence of ! and in",
      rules: "    match /a/{id} { allow create: if !'admin' in request.resource.data; }",
      step: "create /a/x { n: 1 } as alice", cause: "Received: !string",
      fix: "in line 4 write !('admin' in request.resource.data) for !'admin' in request.resource.data",
      mended: .init(rules: "    match /a/{id} { allow create: if !('admin' in request.resource.data); }")),
    Mistake(
      "get for getAfter",
      rules: """
            match /log/{id} { allow create: if get(/databases/$(database)/documents/counters/c).data.n == 2; }
            match /counters/{id} { allow update: if true; }
        """,
      head: "given /counters/c { n: 1 };",
      step: "batch { create /log/l { n: 1 }; update /counters/c { n: 2 }; } as alice",
      cause: ".data.n is 1, not 2.", fix: "in line 4 write getAfter for get",
      mended: .init(
        rules: """
              match /log/{id} { allow create: if getAfter(/databases/$(database)/documents/counters/c).data.n == 2; }
              match /counters/{id} { allow update: if true; }
          """)),
    Mistake(
      "misspelt collection",
      rules: "    match /users/{uid}/lists/{id} { allow get: if request.auth.uid == uid; }",
      head: "given /users/alice/list/l { n: 1 };", step: "get /users/alice/list/l as alice",
      cause: "The nearest is match /users/{uid}/lists/{id}", fix: "ask for /users/alice/lists/l",
      mended: .init(head: "given /users/alice/lists/l { n: 1 };", step: "get /users/alice/lists/l as alice")),
    Mistake(
      "subcollection not covered",
      rules: "    match /users/{uid} { allow read: if request.auth.uid == uid; }",
      head: "given /users/alice/lists/l { n: 1 };", step: "get /users/alice/lists/l as alice",
      cause: "No match block covers /users/alice/lists/l"),
    Mistake(
      "list without a filter",
      rules: "    match /a/{id} { allow list: if resource.data.owner == request.auth.uid; }",
      head: "given /a/x { owner: 'alice' };", step: "list /a as alice",
      cause: "Line 4 asks for `owner`, which the query does not filter on.",
      fix: "where owner == 'alice'",
      mended: .init(step: "list /a where owner == 'alice' as alice")),
    Mistake(
      "collection group",
      rules: "    match /users/{uid}/lists/{id} { allow list: if request.auth != null; }",
      head: "given /users/alice/lists/l { n: 1 };", step: "list /{any=**}/lists as alice",
      cause: "that takes a match like /{path=**}/lists/{document}."),
    Mistake(
      "only get is allowed",
      rules: "    match /a/{id} { allow get: if request.auth != null; }",
      head: "given /a/x { n: 1 };", step: "list /a as alice", cause: "No `allow list` or `allow read` covers /a."),
    Mistake(
      "two conditions at once",
      rules:
        """
            match /a/{id} {
              allow create: if request.auth.token.admin == true && request.resource.data.title is string;
            }
        """,
      step: "create /a/x { title: 5 } as alice", cause: "request.resource.data.title is 5, which is no string.",
      fix: "write title: 'text', and give the caller's token admin: true",
      mended: .init(
        head: "user root = custom({ claims: { admin: true } });", step: "create /a/x { title: 'text' } as root")),
    Mistake(
      "document as it will be",
      rules: """
            match /a/{id} {
              allow create: if getAfter(/databases/$(database)/documents/a/$(id)).data.owner == request.auth.uid;
            }
        """,
      step: "create /a/x { title: 'T', owner: 'bob' } as alice",
      cause: "is 'bob', but request.auth.uid is 'alice'. (line 5)",
      fix: "write owner: 'alice'", mended: .init(step: "create /a/x { title: 'T', owner: 'alice' } as alice")),
    Mistake(
      "one of several writes",
      rules: """
            match /log/{id} { allow create: if request.resource.data.by == request.auth.uid; }
            match /a/{id} { allow create: if request.auth != null; }
        """,
      step: "batch { create /a/x { n: 1 }; create /log/l { by: 'bob' }; } as alice",
      cause: "request.resource.data.by is 'bob', but request.auth.uid is 'alice'.",
      fix: "Nearest fix of this write alone, tried and allowed: write by: 'alice'",
      mended: .init(step: "batch { create /a/x { n: 1 }; create /log/l { by: 'alice' }; } as alice")),
    Mistake(
      "not a member", rules: teams, head: "given /teams/t { members: { alice: 'owner' } };",
      step: "create /teams/t/notes/n { n: 1 } as bob",
      cause: "role(request.auth.uid) is 'none', which is not in ['owner', 'member'].",
      fix: "have /teams/t hold members.bob: 'owner'",
      mended: .init(head: "given /teams/t { members: { alice: 'owner', bob: 'owner' } };")),
    Mistake(
      "no such team", rules: teams, step: "create /teams/t/notes/n { n: 1 } as bob",
      cause: "role(request.auth.uid) is 'none', which is not in ['owner', 'member'].",
      fix: "have the document /teams/t {'members': {'bob': 'owner'}}",
      mended: .init(head: "given /teams/t { members: { bob: 'owner' } };")),
    Mistake(
      "changes through a function", rules: orders, head: "given /orders/o { state: 'placed', lines: [1] };",
      step: "update /orders/o { total: 5 } as alice", cause: "more than ['state', 'lines'].", fix: "leave out total",
      mended: .init(step: "update /orders/o { state: 'placed' } as alice")),
    Mistake(
      "removed field", rules: orders, head: "given /orders/o { state: 'placed', lines: [1] };",
      step: "update /orders/o { lines: deleteField() } as alice", cause: "changes().removedKeys().size() is 1, not 0.",
      fix: "write lines: [1]", mended: .init(step: "update /orders/o { state: 'placed' } as alice")),
    Mistake(
      "change of a field that is frozen", rules: orders, head: "given /orders/o { state: 'placed', lines: [1] };",
      step: "update /orders/o { lines: [1, 2] } as alice",
      cause: "('lines' in changes().affectedKeys()) is true, which it must not be.",
      fix: "write lines: [1]", mended: .init(step: "update /orders/o { lines: [1] } as alice")),
    Mistake(
      "a whole document",
      rules: "    match /a/{id} { allow create: if request.resource.data == { 'n': 0, 'by': request.auth.uid }; }",
      step: "create /a/x { n: 1, by: 'alice', m: 2 } as alice",
      cause: "request.resource.data is {'by': 'alice', 'm': 2, 'n': 1}, but", fix: "leave out m, and write n: 0",
      mended: .init(step: "create /a/x { n: 0, by: 'alice' } as alice")),
    Mistake(
      "address of another domain",
      rules: "    match /a/{id} { allow get: if request.auth.token.email.matches('.*@firm[.]test'); }",
      head: "given /a/x { n: 1 };", step: "get /a/x as alice",
      cause: "'alice@example.com' as a whole does not match '.*@firm[.]test'.",
      fix: "give the caller's token email: '@firm.test'",
      mended: .init(
        head: "user dora = password({ email: 'd@firm.test', email_verified: true }); given /a/x { n: 1 };",
        step: "get /a/x as dora")),
    Mistake(
      "name with a dot",
      rules: "    match /a/{id} { allow create: if request.resource.data['x.y'] == 1; }",
      step: "create /a/x { x: { y: 1 } } as alice", cause: "Property x.y is undefined on object.",
      fix: "write 'x.y': 1", mended: .init(step: "create /a/x { 'x.y': 1 } as alice")),
    Mistake(
      "after all time",
      rules: "    match /a/{id} { allow get: if request.time > timestamp.value(253402300799999); }",
      head: "given /a/x { n: 1 };", step: "get /a/x as alice", cause: "does not hold"),
  ]

  private static let teams = """
        match /teams/{team}/notes/{note} {
          function role(uid) {
            return exists(/databases/$(database)/documents/teams/$(team))
              ? get(/databases/$(database)/documents/teams/$(team)).data.members.get(uid, 'none') : 'none';
          }
          allow create: if request.auth != null && role(request.auth.uid) in ['owner', 'member'];
        }
    """

  private static let orders = """
        match /orders/{id} {
          function changes() { return request.resource.data.diff(resource.data); }
          allow update: if request.auth != null
            && changes().removedKeys().size() == 0
            && changes().affectedKeys().hasOnly(['state', 'lines'])
            && (resource.data.state == 'cart' || !('lines' in changes().affectedKeys()));
        }
    """
}
