extension Mistake {
  /// About values that are made of others, and about other writes of the same commit.
  static let parts: [Mistake] = [
    Mistake(
      "step of a counter",
      rules: "    match /a/{id} { allow update: if request.resource.data.n - resource.data.n == 1; }",
      head: "given /a/x { n: 4 };", step: "update /a/x { n: 7 } as alice", cause: "is 3, not 1.",
      fix: "write n: 5", mended: .init(step: "update /a/x { n: 5 } as alice")),
    Mistake(
      "sum within a limit",
      rules: "    match /a/{id} { allow create: if request.resource.data.n + request.resource.data.m <= 10; }",
      step: "create /a/x { n: 9, m: 4 } as alice", cause: "13 <= 10", fix: "write n: 6",
      mended: .init(step: "create /a/x { n: 6, m: 4 } as alice")),
    Mistake(
      "product",
      rules: """
            match /a/{id} {
              allow create: if request.resource.data.total == request.resource.data.price * request.resource.data.count;
            }
        """,
      step: "create /a/x { total: 10, price: 4, count: 3 } as alice", cause: "request.resource.data.total is 10",
      fix: "write total: 12", mended: .init(step: "create /a/x { total: 12, price: 4, count: 3 } as alice")),
    Mistake(
      "quotient", rules: "    match /a/{id} { allow create: if request.resource.data.cents / 100 == 5; }",
      step: "create /a/x { cents: 5 } as alice", cause: "is 0, not 5.", fix: "write cents: 500",
      mended: .init(step: "create /a/x { cents: 500 } as alice")),
    Mistake(
      "odd number", rules: "    match /a/{id} { allow create: if request.resource.data.n % 2 == 0; }",
      step: "create /a/x { n: 13 } as alice", cause: "request.resource.data.n % 2 is 1, not 0.", fix: "write n: 12",
      mended: .init(step: "create /a/x { n: 12 } as alice")),
    Mistake(
      "sign", rules: "    match /a/{id} { allow create: if -request.resource.data.n == 5; }",
      step: "create /a/x { n: 5 } as alice", cause: "is -5, not 5.", fix: "write n: -5",
      mended: .init(step: "create /a/x { n: -5 } as alice")),
    Mistake(
      "number with a fraction",
      rules: "    match /a/{id} { allow create: if request.resource.data.price * 2.0 == 5.0; }",
      step: "create /a/x { price: 2 } as alice", cause: "is 4.0, not 5.0.", fix: "write price: 2.5",
      mended: .init(step: "create /a/x { price: 2.5 } as alice")),
    Mistake(
      "text put together",
      rules: "    match /a/{id} { allow create: if 'user-' + request.resource.data.by == 'user-' + request.auth.uid; }",
      step: "create /a/x { by: 'bob' } as alice", cause: "is 'user-bob'", fix: "write by: 'alice'",
      mended: .init(step: "create /a/x { by: 'alice' } as alice")),
    Mistake(
      "pieces of a text",
      rules: "    match /a/{id} { allow create: if request.resource.data.path.split('/').size() == 3; }",
      step: "create /a/x { path: 'a/b' } as alice", cause: ".size() is 2, not 3.", fix: "write path: 'a/b/x'",
      mended: .init(step: "create /a/x { path: 'a/b/x' } as alice")),
    Mistake(
      "domain of an address",
      rules: "    match /a/{id} { allow create: if request.resource.data.email.split('@')[1] == 'firm.test'; }",
      step: "create /a/x { email: 'al@else.test' } as alice", cause: "is 'else.test', not 'firm.test'.",
      fix: "write email: 'al@firm.test'", mended: .init(step: "create /a/x { email: 'al@firm.test' } as alice")),
    Mistake(
      "index beyond the end of a list",
      rules: "    match /a/{id} { allow create: if request.resource.data.tags[2] == 'c'; }",
      step: "create /a/x { tags: ['a', 'b'] } as alice", cause: "request.resource.data.tags[2]",
      fix: "write tags: ['a', 'b', 'c']", mended: .init(step: "create /a/x { tags: ['a', 'b', 'c'] } as alice")),
    Mistake(
      "index of an empty list",
      rules: "    match /a/{id} { allow create: if request.resource.data.tags[0] is string; }",
      step: "create /a/x { tags: [] } as alice", cause: "request.resource.data.tags[0]", fix: "write tags: ['text']",
      mended: .init(step: "create /a/x { tags: ['text'] } as alice")),
    Mistake(
      "missing write of a batch", rules: counters,
      step: "create /log/l { n: 1 } as alice", cause: "/databases/(default)/documents/counters/c",
      fix: "in the same commit create /counters/c {'n': 1}",
      mended: .init(step: "batch { create /log/l { n: 1 }; create /counters/c { n: 1 }; } as alice")),
    Mistake(
      "other write of a batch", rules: counters, head: "given /counters/c { n: 1 };",
      step: "batch { create /log/l { n: 2 }; update /counters/c { n: 3 }; } as alice",
      cause: "/counters/c).data.n is 3",
      fix: "in the same commit write n: 2 in /counters/c",
      mended: .init(step: "batch { create /log/l { n: 2 }; update /counters/c { n: 2 }; } as alice")),
    Mistake(
      "document that the batch does not make",
      rules: """
            match /log/{id} { allow create: if existsAfter(/databases/$(database)/documents/counters/c); }
            match /counters/{id} { allow create: if true; }
        """,
      step: "create /log/l { n: 1 } as alice", cause: "/counters/c",
      fix: "in the same commit create /counters/c {}",
      mended: .init(step: "batch { create /log/l { n: 1 }; create /counters/c {}; } as alice")),
    // The other write would be refused, so that it is no fix.
    Mistake(
      "write of a batch that nobody may make",
      rules: "    match /log/{id} { allow create: if existsAfter(/databases/$(database)/documents/counters/c); }",
      step: "create /log/l { n: 1 } as alice", cause: "/counters/c"),
    Mistake(
      "sum that no whole number makes",
      rules: "    match /a/{id} { allow create: if 2 * 3 == 7; }",
      step: "create /a/x { n: 1 } as alice", cause: "is 6, not 7."),
  ]

  private static let counters = """
        match /log/{id} {
          allow create: if getAfter(/databases/$(database)/documents/counters/c).data.n == request.resource.data.n;
        }
        match /counters/{id} { allow create, update: if request.resource.data.n is int; }
    """
}
