/// The rules that the tests below run against.
let runnerRules = #"""
  rules_version = '2';
  service cloud.firestore {
    match /databases/{database}/documents {
      match /open/{id} { allow read, write; }
      match /mine/{uid} { allow read, write: if request.auth.uid == uid; }
      match /rooms/{room} { allow get: if get(/databases/$(database)/documents/rooms/$(room)/members/$(request.auth.uid)).data.ok; }
      match /later/{id} { allow get: if request.time > timestamp.date(2026, 6, 1); }
    }
  }
  """#

/// Tests that say something untrue, or true by accident, and what the run says to them.
let runnerMistakes: [Mistake] = [
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      allow get /mine/alice as alice, bob;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    line 4, bob: unexpected: denied, false for 'get' @ L5
    explained: true
    0 passed, 1 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      deny get /mine/alice as bob, alice, nobody because 'false for';
      allow get /open/x as alice, bob;
    }
    """#, #"""
    line 4, alice: unexpected: allowed
    explained: true
    line 4, nobody: otherReason: denied, Null value error. for 'get' @ L5, Null value error. for 'get' @ L5
    explained: true
    0 passed, 1 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      deny get /nowhere/x as alice, bob;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    4:3 warning: Denied to alice and bob only because no rule is about this path and method.
    |   deny get /nowhere/x as alice, bob;
    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    note: If that is meant, say so: because 'No matching allow statements'
    1 passed, 0 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      deny get /nowhere/x as alice because 'No matching allow statements';
      allow get /open/x as alice, bob;
    }
    """#, #"""
    1 passed, 0 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      deny get /mine/alice as nobody, bob;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    4:3 warning: Denied to nobody only through an evaluation error: Null value error.
    |   deny get /mine/alice as nobody, bob;
    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    note: If that is meant, say so: because 'Null value error.'
    1 passed, 0 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      allow update /open/x { a: 1 } as alice;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    4:16 error: There is no document /open/x to update.
    |   allow update /open/x { a: 1 } as alice;
    |                ^^^^^^^
    note: Put it there with 'given', or write it with 'set' or 'create'.
    0 passed, 1 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      allow create /open/y { a: 1 } as alice;
      deny create /open/y { a: 2 } as nobody;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    5:15 error: The document /open/y is there already.
    |   deny create /open/y { a: 2 } as nobody;
    |               ^^^^^^^
    note: Write it with 'set', or change it with 'update'.
    0 passed, 1 failed, 3 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      deny create /open/y { a: 1 } as alice;
      allow update /open/y { a: 2 } as nobody;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    line 4, alice: unexpected: allowed
    explained: true
    5:16 error: There is no document /open/y to update.
    |   allow update /open/y { a: 2 } as nobody;
    |                ^^^^^^^
    note: The write in line 4 was not done, since its verdict was not the expected one.
    0 passed, 1 failed, 3 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      allow set /open/y { a: [[1]] } as alice;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    4:21 error: Cannot convert an array value in an array value.
    |   allow set /open/y { a: [[1]] } as alice;
    |                     ^^^^^^^^
    0 passed, 1 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      allow get /open/$(1 + 1) as alice;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    4:21 error: An id in a path is text.
    |   allow get /open/$(1 + 1) as alice;
    |                     ^^^^^
    note: string(…) makes text of a number.
    0 passed, 1 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      allow create /open/y { a: 1 / 0 } as alice;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    4:31 error: Divide by zero error.
    |   allow create /open/y { a: 1 / 0 } as alice;
    |                               ^
    0 passed, 1 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      allow create /open/__y__ { a: 1 } as alice;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    4:16 error: Resource id "__y__" is invalid because it is reserved.
    |   allow create /open/__y__ { a: 1 } as alice;
    |                ^^^^^^^^^^^
    note: Ids that begin and end with two underscores belong to Firestore.
    0 passed, 1 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      given /open/z { a: 1 };
      given /open/__y__ { a: 1 };
      at 5;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    4:9 warning: No step asks for this document, and no rule looked at it.
    |   given /open/z { a: 1 };
    |         ^^^^^^^
    5:3 error: Resource id "__y__" is invalid because it is reserved.
    |   given /open/__y__ { a: 1 };
    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
    note: Ids that begin and end with two underscores belong to Firestore.
    6:6 error: Expected a time such as timestamp.date(2026, 1, 1).
    |   at 5;
    |      ^
    0 passed, 1 failed, 1 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      at timestamp.date(2020, 1, 1);
      deny get /later/x as bob;
      at timestamp.date(2027, 1, 1);
      allow get /later/x as bob;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    1 passed, 0 failed, 3 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    user bob = apple();
    test 't' {
      allow update /open/x { a: increment('x') } as alice;
      allow get /open/x as alice, bob;
    }
    """#, #"""
    4:39 error: 'increment' takes one number.
    |   allow update /open/x { a: increment('x') } as alice;
    |                                       ^^^
    0 passed, 1 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = anonymous();
    given /rooms/r { a: 1 };
    given /rooms/r/members/alice { ok: true };
    test 't' {
      given /rooms/q { a: 1 };
      allow get /rooms/r as alice;
      deny get /rooms/s as alice;
    }
    """#, #"""
    5:9 warning: No step asks for this document, and no rule looked at it.
    |   given /rooms/q { a: 1 };
    |         ^^^^^^^^
    7:3 warning: Denied to alice only through an evaluation error: Null value error.
    |   deny get /rooms/s as alice;
    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^
    note: If that is meant, say so: because 'Null value error.'
    1 passed, 0 failed, 2 steps
    """#),
  Mistake(#"""
    user alice = password({ auth_time: 1767225600 });
    test 't' {
      at timestamp.date(2025, 12, 31);
      allow get /open/x as alice;
    }
    """#, #"""
    4:24 error: A session begins (1767225600) no later than its token (1767139200), in the years 1 to 9999.
    |   allow get /open/x as alice;
    |                        ^^^^^
    0 passed, 1 failed, 1 steps
    """#),
  Mistake(#"""
    test 't' {
      allow batch { update /open/a { n: 1 }; create /open/a { n: 2 } } as nobody;
      allow batch { create /open/a { n: 1 }; update /open/a { n: 2 }; delete /open/a; create /open/a { n: 3 } } as nobody;
      allow batch { create /open/b { n: 1 }; create /open/a { n: 2 } } as nobody;
      allow list /open limit 0 as nobody;
      allow list /open where a == 1 && a in 5 as nobody;
      deny list /open as nobody;
    }
    """#, #"""
    2:24 error: There is no document /open/a to update.
    |   allow batch { update /open/a { n: 1 }; create /open/a { n: 2 } } as nobody;
    |                        ^^^^^^^
    note: Put it there with 'given', or write it with 'set' or 'create'.
    4:49 error: The document /open/a is there already.
    |   allow batch { create /open/b { n: 1 }; create /open/a { n: 2 } } as nobody;
    |                                                 ^^^^^^^
    note: Write it with 'set', or change it with 'update'.
    5:26 error: 'limit' takes a whole number from 1 on.
    |   allow list /open limit 0 as nobody;
    |                          ^
    6:14 error: 'IN' requires an ArrayValue.
    |   allow list /open where a == 1 && a in 5 as nobody;
    |              ^^^^^
    line 7, nobody: unexpected: allowed
    explained: false
    0 passed, 1 failed, 6 steps
    """#),
]
