extension Mistake {
  /// About who asks, about data, and about what is stored.
  static let requests: [Mistake] = [
    Mistake(
      "wrong claim",
      rules: "    match /a/{id} { allow get: if request.auth.token.admin == true; }",
      head: "user carl = custom({ claims: { isAdmin: true } }); given /a/x { n: 1 };", step: "get /a/x as carl",
      cause: "'admin' is not in request.auth.token", fix: "give the caller's token admin: true",
      mended: .init(head: "user carl = custom({ claims: { admin: true } }); given /a/x { n: 1 };")),
    Mistake(
      "claim of another value",
      rules: "    match /a/{id} { allow get: if request.auth.token.role == 'editor'; }",
      head: "user carl = custom({ claims: { role: 'Editor' } }); given /a/x { n: 1 };", step: "get /a/x as carl",
      cause: "request.auth.token.role is 'Editor', not 'editor'.", fix: "give the caller's token role: 'editor'",
      mended: .init(head: "user carl = custom({ claims: { role: 'editor' } }); given /a/x { n: 1 };")),
    Mistake(
      "missing auth",
      rules: "    match /a/{id} { allow get: if request.auth != null; }",
      head: "given /a/x { n: 1 };", step: "get /a/x as nobody",
      cause: "The caller is signed out: request.auth is null.",
      fix: "sign in, as 'someone'", mended: .init(step: "get /a/x as bob")),
    Mistake(
      "email not verified",
      rules: "    match /a/{id} { allow get: if request.auth.token.email_verified; }",
      head: "given /a/x { n: 1 };", step: "get /a/x as alice", cause: "request.auth.token.email_verified is false.",
      fix: "give the caller's token email_verified: true",
      mended: .init(
        head: "user dora = password({ email: 'd@example.com', email_verified: true }); given /a/x { n: 1 };",
        step: "get /a/x as dora")),
    Mistake(
      "stranger's path",
      rules: "    match /users/{uid} { allow get: if request.auth.uid == uid; }",
      head: "given /users/alice { n: 1 };", step: "get /users/alice as bob",
      cause: "request.auth.uid is 'bob', but uid is 'alice'.",
      fix: "ask as 'alice'", mended: .init(step: "get /users/alice as alice")),
    Mistake(
      "wrong path variable",
      rules: "    match /users/{uid}/notes/{note} { allow get: if request.auth.uid == note; }",
      head: "given /users/alice/notes/n { n: 1 };", step: "get /users/alice/notes/n as alice",
      cause: "request.auth.uid is 'alice', but note is 'n'.", fix: "ask as 'n'",
      mended: .init(
        head: "user n = google(); given /users/alice/notes/n { n: 1 };", step: "get /users/alice/notes/n as n")),
    Mistake(
      "missing field",
      rules: "    match /a/{id} { allow create: if request.resource.data.owner == request.auth.uid; }",
      step: "create /a/x { title: 'T' } as alice", cause: "'owner' is not in request.resource.data",
      fix: "write owner: 'alice'", mended: .init(step: "create /a/x { title: 'T', owner: 'alice' } as alice")),
    Mistake(
      "number sent as text",
      rules: "    match /a/{id} { allow create: if request.resource.data.age is int; }",
      step: "create /a/x { age: '42' } as alice", cause: "request.resource.data.age is '42', which is no int.",
      fix: "write age: 1", mended: .init(step: "create /a/x { age: 1 } as alice")),
    Mistake(
      "float for an int",
      rules:
        "    match /a/{id} { allow create: if request.resource.data.price is int && resource == null; }",
      step: "create /a/x { price: 2.0 } as alice", cause: "request.resource.data.price is 2.0, which is no int.",
      fix: "write price: 1", mended: .init(step: "create /a/x { price: 1 } as alice")),
    Mistake(
      "text compared with a number",
      rules: "    match /a/{id} { allow get: if resource.data.level > 3; }",
      head: "given /a/x { level: '5' };", step: "get /a/x as alice", cause: "Received: string > int",
      fix: "have /a/x hold level: 4", mended: .init(head: "given /a/x { level: 4 };")),
    Mistake(
      "too large",
      rules: "    match /a/{id} { allow create: if request.resource.data.title.size() <= 5; }",
      step: "create /a/x { title: 'too long' } as alice",
      cause: "request.resource.data.title.size() <= 5 does not hold: 8 <= 5.",
      fix: "write title: 'too l'", mended: .init(step: "create /a/x { title: 'too l' } as alice")),
    Mistake(
      "value outside an enum",
      rules: "    match /a/{id} { allow create: if request.resource.data.state in ['open', 'closed']; }",
      step: "create /a/x { state: 'Open' } as alice",
      cause: "request.resource.data.state is 'Open', which is not in ['open', 'closed'].",
      fix: "write state: 'open'", mended: .init(step: "create /a/x { state: 'open' } as alice")),
    Mistake(
      "field that is not allowed",
      rules: "    match /a/{id} { allow create: if request.resource.data.keys().hasOnly(['title']); }",
      step: "create /a/x { title: 'T', extra: 1 } as alice", cause: "more than ['title']", fix: "leave out extra",
      mended: .init(step: "create /a/x { title: 'T' } as alice")),
    Mistake(
      "required fields",
      rules: "    match /a/{id} { allow create: if request.resource.data.keys().hasAll(['title', 'body']); }",
      step: "create /a/x { title: 'T' } as alice", cause: "it has not all of ['title', 'body']",
      fix: "write body: 'text'",
      mended: .init(step: "create /a/x { title: 'T', body: 'text' } as alice")),
    Mistake(
      "change of a protected field",
      rules:
        """
            match /a/{id} {
              allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['title']);
            }
        """,
      head: "given /a/x { title: 'T', owner: 'alice' };", step: "update /a/x { title: 'U', owner: 'bob' } as alice",
      cause: "more than ['title']", fix: "write owner: 'alice'",
      mended: .init(step: "update /a/x { title: 'U', owner: 'alice' } as alice")),
    Mistake(
      "pattern matches as a whole",
      rules: "    match /a/{id} { allow create: if request.resource.data.email.matches('@example[.]com'); }",
      step: "create /a/x { email: 'alice@example.com' } as alice",
      cause: "'alice@example.com' as a whole does not match '@example[.]com'.", fix: "write email: '@example.com'",
      mended: .init(step: "create /a/x { email: '@example.com' } as alice")),
    Mistake(
      "null is not absent",
      rules: "    match /a/{id} { allow get: if resource.data.deleted == null; }",
      head: "given /a/x { n: 1 };", step: "get /a/x as alice", cause: "'deleted' is not in resource.data",
      fix: "have /a/x hold deleted: null", mended: .init(head: "given /a/x { n: 1, deleted: null };")),
    Mistake(
      "null where something must be",
      rules: "    match /a/{id} { allow get: if resource.data.owner != null; }",
      head: "given /a/x { owner: null };", step: "get /a/x as alice", cause: "resource.data.owner is null.",
      fix: "have /a/x hold owner: 'text'", mended: .init(head: "given /a/x { owner: 'text' };")),
  ]
}
