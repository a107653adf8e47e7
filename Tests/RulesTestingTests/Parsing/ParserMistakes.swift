/// Mistakes the parser finds.
let parserMistakes: [Mistake] = [
  Mistake(#"""
    rules x;
    """#, #"""
    1:7 error: Expected the name of the rules file in quotes, found 'x'.
    | rules x;
    |       ^
    """#),
  Mistake(#"""
    rules 'a.rules'; rules 'b.rules';
    """#, #"""
    1:18 error: The rules file is already named above.
    | rules 'a.rules'; rules 'b.rules';
    |                  ^^^^^
    """#),
  Mistake(#"""
    rules 'a' + 'b';
    """#, #"""
    1:7 error: Expected the name of the rules file in quotes, found an expression.
    | rules 'a' + 'b';
    |       ^^^^^^^^^
    """#),
  Mistake(#"""
    rules_version = '2';
    """#, #"""
    1:1 error: A test file has no 'rules_version': it is always read as version 2.
    | rules_version = '2';
    | ^^^^^^^^^^^^^
    """#),
  Mistake(#"""
    database (default);
    """#, #"""
    1:10 error: Expected the id of a database in quotes, found '('.
    | database (default);
    |          ^
    """#),
  Mistake(#"""
    now timestamp.date(2026, 1, 1); now timestamp.date(2026, 1, 2);
    """#, #"""
    1:33 error: The clock is already set above.
    | now timestamp.date(2026, 1, 1); now timestamp.date(2026, 1, 2);
    |                                 ^^^
    note: Inside a test, 'at' moves it.
    """#),
  Mistake(#"""
    user alice password();
    """#, #"""
    1:12 error: Expected '=', found 'password'.
    | user alice password();
    |            ^^^^^^^^
    """#),
  Mistake(#"""
    user alice = 'x';
    """#, #"""
    1:14 error: Expected a provider such as password(…) or anonymous(), found 'x'.
    | user alice = 'x';
    |              ^^^
    """#),
  Mistake(#"""
    user alice = password;
    """#, #"""
    1:14 error: Expected a provider such as password(…), found an expression.
    | user alice = password;
    |              ^^^^^^^^
    """#),
  Mistake(#"""
    user 'alice' = password();
    """#, #"""
    1:6 error: Expected the name of a user, found 'alice'.
    | user 'alice' = password();
    |      ^^^^^^^
    """#),
  Mistake(#"""
    user alice = password({ name 'A' });
    """#, #"""
    1:25 error: Expected ':' and a value after the key name.
    | user alice = password({ name 'A' });
    |                         ^^^^
    """#),
  Mistake(#"""
    user alice = password({ alice.x: 1 });
    """#, #"""
    1:25 error: A key that is computed stands in parentheses: (alice.x).
    | user alice = password({ alice.x: 1 });
    |                         ^^^^^^^
    note: A word, a quoted string and a parenthesized expression can be keys.
    """#),
  Mistake(#"""
    tset 'x' { }
    """#, #"""
    1:1 error: Unknown statement 'tset'. Did you mean 'test'?
    | tset 'x' { }
    | ^^^^
    """#),
  Mistake(#"""
    allow get /a/b as nobody;
    """#, #"""
    1:1 error: 'allow' stands inside a test: test 'what is shown' { … }
    | allow get /a/b as nobody;
    | ^^^^^
    """#),
  Mistake(#"""
    {}
    """#, #"""
    1:1 error: Expected a statement, found '{'.
    | {}
    | ^
    note: A test file consists of rules, database, now, user, given, test, function, never …
    """#),
  Mistake(#"""
    given /a/b;
    """#, #"""
    1:11 error: Expected the fields of the fixture: { name: value, … }, found ';'.
    | given /a/b;
    |           ^
    """#),
  Mistake(#"""
    given /a/b { x: 1 }.y;
    """#, #"""
    1:12 error: Expected the fields of the fixture, found an expression.
    | given /a/b { x: 1 }.y;
    |            ^^^^^^^^^^
    """#),
  Mistake(#"""
    given a/b {};
    """#, #"""
    1:7 error: A path begins with '/': /a
    | given a/b {};
    |       ^
    fix: Add '/'. [/]
    """#),
  Mistake(#"""
    given /a/{b} {};
    """#, #"""
    1:9 error: A step is about one document: '{b}' cannot stand in its path.
    | given /a/{b} {};
    |         ^^^
    note: A value is put into a path by /$(b).
    """#),
  Mistake(#"""
    test 't' {
    allow get /a/b/ as nobody;
    }
    """#, #"""
    2:15 error: A path does not end in '/'.
    | allow get /a/b/ as nobody;
    |               ^
    note: After '/' comes a name, /{capture} in an invariant, or /$(expression) in a step.
    fix: Remove '/'. []
    """#),
  Mistake(#"""
    test 't' {
    allow get /a/** as nobody;
    }
    """#, #"""
    2:13 error: '/**' opens a comment. For everything below write /{rest=**}
    | allow get /a/** as nobody;
    |             ^^^
    fix: Write /{rest=**}. [/{rest=**}]
    """#),
  Mistake(#"""
    test 't' {
    deny get /** as nobody; /* swallowed */
    }
    """#, #"""
    2:10 error: '/**' opens a comment. For everything below write /{rest=**}
    | deny get /** as nobody; /* swallowed */
    |          ^^^
    fix: Write /{rest=**}. [/{rest=**}]
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/* as nobody;
    }
    """#, #"""
    2:12 error: '/*' opens a comment. For any one segment write /{name}
    | deny get /a/* as nobody;
    |            ^^
    fix: Write /{name}. [/{name}]
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/{b} as nobody;
    }
    """#, #"""
    2:12 error: A step is about one document: '{b}' cannot stand in its path.
    | deny get /a/{b} as nobody;
    |            ^^^
    note: A value is put into a path by /$(b).
    """#),
  Mistake(#"""
    test 't' {
    deny create /a{b} { x: 1 } as nobody;
    }
    """#, #"""
    2:15 error: A capture needs its '/': /{name}
    | deny create /a{b} { x: 1 } as nobody;
    |               ^
    """#),
  Mistake(#"""
    test 't' {
    deny get a/b as nobody;
    }
    """#, #"""
    2:10 error: A path begins with '/': /a
    | deny get a/b as nobody;
    |          ^
    fix: Add '/'. [/]
    """#),
  Mistake(#"""
    test 't' {
    deny get as nobody;
    }
    """#, #"""
    2:10 error: Expected a path such as /users/alice, found 'as'.
    | deny get as nobody;
    |          ^^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/b;
    }
    """#, #"""
    2:14 error: Say who asks: as alice, or as nobody.
    | deny get /a/b;
    |              ^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/b because 'x';
    }
    """#, #"""
    2:15 error: Say who asks before 'because': as alice, or as nobody.
    | deny get /a/b because 'x';
    |               ^^^^^^^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/b because 'x' as nobody;
    }
    """#, #"""
    2:15 error: Say who asks before 'because': as alice, or as nobody.
    | deny get /a/b because 'x' as nobody;
    |               ^^^^^^^
    """#),
  Mistake(#"""
    test 't' {
    allow get /a/b as nobody because 'x';
    }
    """#, #"""
    2:26 error: Only a 'deny' has a reason: an allowed request has no message.
    | allow get /a/b as nobody because 'x';
    |                          ^^^^^^^^^^^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/b as nobody because x;
    }
    """#, #"""
    2:33 error: Expected a part of the denial's message in quotes, found 'x'.
    | deny get /a/b as nobody because x;
    |                                 ^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/b { x: 1 } as nobody;
    }
    """#, #"""
    2:15 error: 'get' takes no data.
    | deny get /a/b { x: 1 } as nobody;
    |               ^
    """#),
  Mistake(#"""
    test 't' {
    deny create /a/b as nobody;
    }
    """#, #"""
    2:18 error: Expected the fields of the document: { name: value, … }, found 'as'.
    | deny create /a/b as nobody;
    |                  ^^
    """#),
  Mistake(#"""
    test 't' {
    deny read /a/b as nobody;
    }
    """#, #"""
    2:6 error: Unknown operation 'read'.
    | deny read /a/b as nobody;
    |      ^^^^
    note: 'read' is get or list, 'write' is create, update or delete: say which.
    """#),
  Mistake(#"""
    test 't' {
    allow batch { } as nobody;
    allow batch { get /a/b; } as nobody;
    allow transaction { update /a/b { x: 1 }; get /a/b; } as nobody;
    allow batch { list /a; } as nobody;
    }
    """#, #"""
    2:7 error: This batch holds nothing.
    | allow batch { } as nobody;
    |       ^^^^^
    3:15 error: 'get' cannot stand here: expected 'create', 'update', 'set' or 'delete'.
    | allow batch { get /a/b; } as nobody;
    |               ^^^
    4:43 error: In a transaction all reads come before the first write.
    | allow transaction { update /a/b { x: 1 }; get /a/b; } as nobody;
    |                                           ^^^
    5:15 error: 'list' cannot stand here: expected 'create', 'update', 'set' or 'delete'.
    | allow batch { list /a; } as nobody;
    |               ^^^^
    """#),
  Mistake(#"""
    test 't' {
    deny list /a order title as nobody;
    deny list /a limit 5 where x == 1 as nobody;
    deny sum /a as nobody;
    deny count(x) /a as nobody;
    deny list /a where x as nobody;
    deny list /a where x == 1 && as nobody;
    deny list /a { } as nobody;
    }
    """#, #"""
    2:20 error: Expected 'by' and the name of a field: order by title, found 'title'.
    | deny list /a order title as nobody;
    |                    ^^^^^
    3:22 error: 'where' stands out of order: where, order by, limit, offset, each at most once.
    | deny list /a limit 5 where x == 1 as nobody;
    |                      ^^^^^
    4:10 error: Expected '(' and the name of a field: sum(items), found '/a'.
    | deny sum /a as nobody;
    |          ^^
    5:11 error: 'count' takes no field: it counts documents.
    | deny count(x) /a as nobody;
    |           ^
    6:22 error: Expected a comparison: == != < <= > >= in, not in, found 'as'.
    | deny list /a where x as nobody;
    |                      ^^
    7:30 error: Unexpected 'as'.
    | deny list /a where x == 1 && as nobody;
    |                              ^^
    8:14 error: A query takes no data.
    | deny list /a { } as nobody;
    |              ^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/b as nobody limit 5;
    }
    """#, #"""
    2:25 error: 'limit' belongs to 'list', before 'as'.
    | deny get /a/b as nobody limit 5;
    |                         ^^^^^
    """#),
  Mistake(#"""
    test 't' {
    get /a/b as nobody;
    }
    """#, #"""
    2:1 error: Expected 'allow' or 'deny' before 'get'.
    | get /a/b as nobody;
    | ^^^
    """#),
  Mistake(#"""
    test 't' {
    expect get /a/b as nobody;
    }
    """#, #"""
    2:1 error: Unknown statement 'expect'.
    | expect get /a/b as nobody;
    | ^^^^^^
    note: A test consists of allow, deny, given, at, and for users sign in, sign out, reinstall, refresh, delete, revoke, link, change.
    """#),
  Mistake(#"""
    test 't' {
    transaction { }
    }
    """#, #"""
    2:1 error: Expected 'allow' or 'deny' before 'transaction'.
    | transaction { }
    | ^^^^^^^^^^^
    """#),
  Mistake(#"""
    test 't' {
    deny get '/a/b' as nobody;
    }
    """#, #"""
    2:10 error: Expected a path such as /users/alice, found '/a/b'.
    | deny get '/a/b' as nobody;
    |          ^^^^^^
    note: A path is written without quotes.
    """#),
  Mistake(#"""
    foo;
    """#, #"""
    1:1 error: Unknown statement 'foo'.
    | foo;
    | ^^^
    note: A test file consists of rules, database, now, user, given, test, function, never …
    """#),
  Mistake(#"""
    test 't' {
    alow get /a/b as nobody;
    }
    """#, #"""
    2:1 error: Unknown statement 'alow'. Did you mean 'allow'?
    | alow get /a/b as nobody;
    | ^^^^
    """#),
  Mistake(#"""
    test 't' {
    user bob = apple();
    }
    """#, #"""
    1:6 error: The test 't' is not closed: expected '}'.
    | test 't' {
    |      ^^^
    3:1 error: This '}' closes nothing.
    | }
    | ^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/b as nobody,;
    }
    """#, #"""
    2:25 error: Expected the name of a user, found ';'.
    | deny get /a/b as nobody,;
    |                         ^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/b as nobody; }
    }
    """#, #"""
    3:1 error: This '}' closes nothing.
    | }
    | ^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/b as nobody # comment
    }
    """#, #"""
    2:25 error: token recognition error at: '#'
    | deny get /a/b as nobody # comment
    |                         ^
    2:27 error: Expected ';' after the step, found 'comment'.
    | deny get /a/b as nobody # comment
    |                           ^^^^^^^
    """#),
  Mistake(#"""
    test 't' {
    deny get /a/$(b as nobody;
    }
    """#, #"""
    2:17 error: Expected ')', found 'as'.
    | deny get /a/$(b as nobody;
    |                 ^^
    """#),
  Mistake(#"""
    test 't' {
    at ;
    }
    """#, #"""
    2:4 error: Unexpected ';'.
    | at ;
    |    ^
    """#),
  Mistake(#"""
    test 't' {
    allow;
    }
    """#, #"""
    2:6 error: Expected an operation: 'get', 'create', 'update', 'set', 'delete', 'list', 'count', 'sum', 'avg', 'batch' or 'transaction', found ';'.
    | allow;
    |      ^
    """#),
  Mistake(#"""
    test 't' {
      deny get /a/b as nobody;
    """#, #"""
    1:6 error: The test 't' is not closed: expected '}'.
    | test 't' {
    |      ^^^
    """#),
  Mistake(#"""
    never /a/{b} if true;
    """#, #"""
    1:7 error: Expected a method: 'get', 'list', 'read', 'create', 'update', 'delete' or 'write', found '/a'.
    | never /a/{b} if true;
    |       ^^
    """#),
  Mistake(#"""
    never get /a/$(b) if true;
    """#, #"""
    1:13 error: The path of an invariant is a pattern: '$(…)' cannot stand in it.
    | never get /a/$(b) if true;
    |             ^^^
    note: Capture the segment, /{name}, and compare it in the condition.
    """#),
  Mistake(#"""
    never get /a/{b};
    """#, #"""
    1:17 error: Expected 'unless' or 'if' and a condition, found ';'.
    | never get /a/{b};
    |                 ^
    note: What must never happen at all: never … if true;
    """#),
  Mistake(#"""
    never get, get /a/{b} if true;
    """#, #"""
    1:12 error: 'get' is named twice.
    | never get, get /a/{b} if true;
    |            ^^^
    """#),
  Mistake(#"""
    never get /a/** if true;
    """#, #"""
    1:13 error: '/**' opens a comment. For everything below write /{rest=**}
    | never get /a/** if true;
    |             ^^^
    fix: Write /{rest=**}. [/{rest=**}]
    """#),
  Mistake(#"""
    never get /a/{b=***} if true;
    """#, #"""
    1:19 error: Expected '}', found '*'.
    | never get /a/{b=***} if true;
    |                   ^
    """#),
  Mistake(#"""
    public /a/{b};
    """#, #"""
    1:8 error: Expected 'read': public read /path, found '/a'.
    | public /a/{b};
    |        ^^
    """#),
  Mistake(#"""
    isolate /a/{b} to b;
    """#, #"""
    1:16 error: Expected 'by' and whom the documents belong to, found 'to'.
    | isolate /a/{b} to b;
    |                ^^
    """#),
  Mistake(#"""
    immutable /a/{b} owner;
    """#, #"""
    1:18 error: Expected 'fields' and the names of fields, found 'owner'.
    | immutable /a/{b} owner;
    |                  ^^^^^
    """#),
  Mistake(#"""
    allows get /a/{b};
    """#, #"""
    1:18 error: Expected 'as' and a user, found ';'.
    | allows get /a/{b};
    |                  ^
    """#),
  Mistake(#"""
    assume /a/{b} unless true;
    """#, #"""
    1:15 error: Expected 'if' and a condition, found 'unless'.
    | assume /a/{b} unless true;
    |               ^^^^^^
    """#),
  Mistake(#"""
    server /a/{b} fields;
    """#, #"""
    1:21 error: Expected the name of a field, found ';'.
    | server /a/{b} fields;
    |                     ^
    """#),
]
