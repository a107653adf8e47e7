/// Mistakes and warnings that checking finds.
let checkerMistakes: [Mistake] = [
  Mistake(#"""
    user nobody = anonymous();
    """#, #"""
    1:6 error: 'nobody' is always there: the caller who is signed out.
    | user nobody = anonymous();
    |      ^^^^^^
    """#),
  Mistake(#"""
    user request = anonymous();
    """#, #"""
    1:6 error: 'request' has a meaning of its own and cannot name a user.
    | user request = anonymous();
    |      ^^^^^^^
    """#),
  Mistake(#"""
    user a = anonymous();
    user a = apple();
    """#, #"""
    2:6 error: The user 'a' is declared twice.
    | user a = apple();
    |      ^
    note: The first time in line 1.
    """#),
  Mistake(#"""
    user a = pasword({});
    """#, #"""
    1:10 error: Unknown provider 'pasword'. Did you mean 'password'?
    | user a = pasword({});
    |          ^^^^^^^
    note: Providers are password, emailLink, phone, anonymous, apple, google, facebook, twitter, github, microsoft, yahoo, custom, oidc, saml.
    """#),
  Mistake(#"""
    user a = password('x', {});
    """#, #"""
    1:19 error: 'password' takes no provider id, found 'x'; only oidc and saml do.
    | user a = password('x', {});
    |                   ^^^
    """#),
  Mistake(#"""
    user a = password(5);
    """#, #"""
    1:19 error: Expected a map of options: password({ email: '…' })
    | user a = password(5);
    |                   ^
    """#),
  Mistake(#"""
    user a = oidc({ name: 'x' });
    """#, #"""
    1:15 error: 'oidc' needs the provider's id, as in oidc('oidc.example').
    | user a = oidc({ name: 'x' });
    |               ^^^^^^^^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
      deny list /a/b as alice;
      deny list /{any=**}/b/c as alice;
      deny list /a/b/{x=**}/c as alice;
      deny list /a where 5 < n as alice;
      deny list /a where alice.uid == owner as alice;
      deny list /a where n + 1 == 2 as alice;
      deny list /a where '' == 1 as alice;
      deny list /a where owner == x as alice;
      deny sum(n + 1) /a as alice;
      deny list /a order by n, 5 as alice;
      deny list /a limit x as alice;
      deny list /a as alice because "for 'list' @";
    }
    """#, #"""
    3:13 error: This path names a document, not a collection.
    |   deny list /a/b as alice;
    |             ^^^^
    note: A collection's path has an odd number of segments. One document is read by 'get'.
    4:13 error: All collections of one name are written /{any=**}/name.
    |   deny list /{any=**}/b/c as alice;
    |             ^^^^^^^^^^^^^
    note: Firestore asks such groups of the whole database only.
    5:13 error: All collections of one name are written /{any=**}/name.
    |   deny list /a/b/{x=**}/c as alice;
    |             ^^^^^^^^^^^^^
    note: Firestore asks such groups of the whole database only.
    6:22 error: Expected the name of a field on the left side.
    |   deny list /a where 5 < n as alice;
    |                      ^
    note: A filter is written as items < 10, or 'x' in tags.
    7:22 error: Expected the name of a field on the left side.
    |   deny list /a where alice.uid == owner as alice;
    |                      ^^^^^^^^^
    note: A filter is written as items < 10, or 'x' in tags.
    8:22 error: Expected the name of a field.
    |   deny list /a where n + 1 == 2 as alice;
    |                      ^^^^^
    note: A filter is written as items < 10, or 'x' in tags.
    9:22 error: Invalid property path "".
    |   deny list /a where '' == 1 as alice;
    |                      ^^
    note: As a path of fields a name in it is empty.
    10:31 error: Unknown name 'x'.
    |   deny list /a where owner == x as alice;
    |                               ^
    note: Text stands in quotes; names are those of users, and request.time.
    11:12 error: Expected the name of a field.
    |   deny sum(n + 1) /a as alice;
    |            ^^^^^
    note: A name stands bare or in quotes: items
    12:28 error: Expected the name of a field.
    |   deny list /a order by n, 5 as alice;
    |                            ^
    note: A name stands bare or in quotes: items
    13:22 error: Unknown name 'x'.
    |   deny list /a limit x as alice;
    |                      ^
    note: Text stands in quotes; names are those of users, and request.time.
    14:33 error: This reason is part of every message: it says nothing.
    |   deny list /a as alice because "for 'list' @";
    |                                 ^^^^^^^^^^^^^^
    note: Take more of the message, such as "false for 'list' @ L12".
    """#),
  Mistake(#"""
    user a = oidc('line');
    """#, #"""
    1:15 error: 'line' is no id of an OpenID Connect provider: write 'oidc.' and letters, digits, '.', '-' or '_'.
    | user a = oidc('line');
    |               ^^^^^^
    """#),
  Mistake(#"""
    user a = password({}, {});
    """#, #"""
    1:23 error: Expected a map of options: password({ email: '…' })
    | user a = password({}, {});
    |                       ^
    """#),
  Mistake(#"""
    user a = password({ emial: 'a@b.c' });
    """#, #"""
    1:21 error: A user has no option 'emial'. Did you mean 'email'?
    | user a = password({ emial: 'a@b.c' });
    |                     ^^^^^
    note: A custom claim is written as claims: { emial: … }
    note: Options are uid, email, email_verified, name, picture, phone, claims, mfa, tenant, raw_id, sign_in_attributes, auth_time.
    """#),
  Mistake(#"""
    user a = password({ admin: true });
    """#, #"""
    1:21 error: A user has no option 'admin'.
    | user a = password({ admin: true });
    |                     ^^^^^
    note: A custom claim is written as claims: { admin: … }
    note: Options are uid, email, email_verified, name, picture, phone, claims, mfa, tenant, raw_id, sign_in_attributes, auth_time.
    """#),
  Mistake(#"""
    user a = phone({ phone_number: '+15555550100' });
    """#, #"""
    1:18 error: A user has no option 'phone_number'. Did you mean 'phone'?
    | user a = phone({ phone_number: '+15555550100' });
    |                  ^^^^^^^^^^^^
    note: A custom claim is written as claims: { phone_number: … }
    note: Options are uid, email, email_verified, name, picture, phone, claims, mfa, tenant, raw_id, sign_in_attributes, auth_time.
    """#),
  Mistake(#"""
    user a = password({ ('x'): 1 });
    """#, #"""
    1:21 error: A user has no option 'x'.
    | user a = password({ ('x'): 1 });
    |                     ^
    note: A custom claim is written as claims: { x: … }
    note: Options are uid, email, email_verified, name, picture, phone, claims, mfa, tenant, raw_id, sign_in_attributes, auth_time.
    """#),
  Mistake(#"""
    user a = password({ (string(1)): 1 });
    """#, #"""
    1:21 error: The name of an option is a plain word.
    | user a = password({ (string(1)): 1 });
    |                     ^^^^^^^^^
    """#),
  Mistake(#"""
    user a = password({ email: 5 });
    """#, #"""
    1:28 error: 'email' must be a string, found 5.
    | user a = password({ email: 5 });
    |                            ^
    """#),
  Mistake(#"""
    user a = custom({ claims: { at: timestamp.date(2026, 1, 1) } });
    """#, #"""
    1:27 error: A token is JSON: a claim is null, a bool, a number, a string, a list or a map.
    | user a = custom({ claims: { at: timestamp.date(2026, 1, 1) } });
    |                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    """#),
  Mistake(#"""
    user a = custom({ claims: { sub: 'x' } });
    """#, #"""
    1:27 error: The claim 'sub' belongs to the token itself; choose another name.
    | user a = custom({ claims: { sub: 'x' } });
    |                           ^^^^^^^^^^
    """#),
  Mistake(#"""
    user a = anonymous({ email: 'a@b.c' });
    """#, #"""
    1:29 error: An anonymous user has no e-mail; use password({ email: … }).
    | user a = anonymous({ email: 'a@b.c' });
    |                             ^^^^^^^
    """#),
  Mistake(#"""
    user a = apple({ email_verified: true });
    """#, #"""
    1:34 error: Without an email there is nothing to verify; add email, or leave email_verified out.
    | user a = apple({ email_verified: true });
    |                                  ^^^^
    """#),
  Mistake(#"""
    user a = password({ email: 'x' });
    """#, #"""
    1:28 error: 'x' is no e-mail address; write one like 'alice@example.com'.
    | user a = password({ email: 'x' });
    |                            ^^^
    """#),
  Mistake(#"""
    user a = custom({ uid: '' });
    """#, #"""
    1:24 error: A uid has 1 to 128 characters, this one has 0.
    | user a = custom({ uid: '' });
    |                        ^^
    """#),
  Mistake(#"""
    user a = anonymous();
    """#, #"""
    warning: There is no test in this file.
    note: A test is written as test 'what it shows' { … }
    1:6 warning: The user 'a' is never used.
    | user a = anonymous();
    |      ^
    """#),
  Mistake(#"""
    database '';
    """#, #"""
    1:10 error: The id of the database is empty; the default one is '(default)'.
    | database '';
    |          ^^
    """#),
  Mistake(#"""
    rules '';
    """#, #"""
    1:7 error: The name of the rules file is empty.
    | rules '';
    |       ^^
    """#),
  Mistake(#"""
    now 5;
    """#, #"""
    1:5 error: Expected a time such as timestamp.date(2026, 1, 1).
    | now 5;
    |     ^
    """#),
  Mistake(#"""
    now timestamp.date(2026, 13, 1);
    """#, #"""
    1:15 error: Date is not valid. year: 2026, month: 13 day: 1.
    | now timestamp.date(2026, 13, 1);
    |               ^^^^
    """#),
  Mistake(#"""
    now tomorrow;
    """#, #"""
    1:5 error: Unknown name 'tomorrow'.
    | now tomorrow;
    |     ^^^^^^^^
    note: Text stands in quotes; names are those of users, and request.time.
    """#),
  Mistake(#"""
    now day(1);
    function day(n) { return timestamp.date(2026, 1, n); }
    function day(n) { return n; }
    """#, #"""
    3:10 error: The function 'day' is declared twice.
    | function day(n) { return n; }
    |          ^^^
    note: The first time in line 2.
    """#),
  Mistake(#"""
    function f(x) { return g(x); }
    function g(x) { return f(x); }
    """#, #"""
    1:10 error: The function 'f' calls itself.
    | function f(x) { return g(x); }
    |          ^
    2:10 error: The function 'g' calls itself.
    | function g(x) { return f(x); }
    |          ^
    """#),
  Mistake(#"""
    function f(x, x) { return y; }
    """#, #"""
    1:15 error: The parameter 'x' is declared twice.
    | function f(x, x) { return y; }
    |               ^
    1:27 error: Unknown name 'y'.
    | function f(x, x) { return y; }
    |                           ^
    """#),
  Mistake(#"""
    function increment(n) { return n; }
    """#, #"""
    1:10 error: 'increment' has a meaning of its own and cannot name a function.
    | function increment(n) { return n; }
    |          ^^^^^^^^^
    """#),
  Mistake(#"""
    function f() { return get(/a/b).data.x == resource.data.y; }
    """#, #"""
    warning: There is no test in this file.
    note: A test is written as test 'what it shows' { … }
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny get /a/b as alic;
    }
    """#, #"""
    3:18 error: Unknown user 'alic'. Did you mean 'alice'?
    | deny get /a/b as alic;
    |                  ^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny get /a/b as alice, alice;
    }
    """#, #"""
    3:25 error: 'alice' is named twice.
    | deny get /a/b as alice, alice;
    |                         ^^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny get /a as alice;
    }
    """#, #"""
    3:10 error: This path names a collection, not a document.
    | deny get /a as alice;
    |          ^^
    note: A document's path has an even number of segments: /collection/document.
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny get /a/$(alise.uid) as alice;
    }
    """#, #"""
    3:15 error: Unknown name 'alise'. Did you mean 'alice'?
    | deny get /a/$(alise.uid) as alice;
    |               ^^^^^
    note: Text stands in quotes; names are those of users, and request.time.
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny get /a/b as alice because '';
    }
    """#, #"""
    3:32 error: An empty reason is part of every message: it says nothing.
    | deny get /a/b as alice because '';
    |                                ^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny get /a/b as alice because "for 'get'";
    }
    """#, #"""
    3:32 error: This reason is part of every message: it says nothing.
    | deny get /a/b as alice because "for 'get'";
    |                                ^^^^^^^^^^^
    note: Take more of the message, such as "false for 'get' @ L12".
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: y } as alice;
    }
    """#, #"""
    3:23 error: Unknown name 'y'.
    | deny create /a/b { x: y } as alice;
    |                       ^
    note: Text stands in quotes; names are those of users, and request.time.
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: request.auth.uid } as alice;
    }
    """#, #"""
    3:23 error: Only request.time is known outside rules and invariants.
    | deny create /a/b { x: request.auth.uid } as alice;
    |                       ^^^^^^^^^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: request } as alice;
    }
    """#, #"""
    3:23 error: Only request.time is known outside rules and invariants.
    | deny create /a/b { x: request } as alice;
    |                       ^^^^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: 1, 'x': 2 } as alice;
    }
    """#, #"""
    3:26 error: The key 'x' is given twice.
    | deny create /a/b { x: 1, 'x': 2 } as alice;
    |                          ^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: get(/a/b) } as alice;
    }
    """#, #"""
    3:23 error: 'get' reads documents: it can be called in rules and invariants only.
    | deny create /a/b { x: get(/a/b) } as alice;
    |                       ^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: foo(1) } as alice;
    }
    """#, #"""
    3:23 error: Unknown function 'foo'.
    | deny create /a/b { x: foo(1) } as alice;
    |                       ^^^
    """#),
  Mistake(#"""
    test 't' {
    deny create /a/b { x: serverTimestamp() } as nobody;
    }
    """#, #"""
    2:23 error: Unknown function 'serverTimestamp'.
    | deny create /a/b { x: serverTimestamp() } as nobody;
    |                       ^^^^^^^^^^^^^^^
    note: The time of the server is written request.time.
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: increment(1) + 1 } as alice;
    }
    """#, #"""
    3:23 error: 'increment(…)' is no value to compute with: it stands alone as the value of a field.
    | deny create /a/b { x: increment(1) + 1 } as alice;
    |                       ^^^^^^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: [increment(1)] } as alice;
    }
    """#, #"""
    3:24 error: 'increment(…)' is no value to compute with: it stands alone as the value of a field.
    | deny create /a/b { x: [increment(1)] } as alice;
    |                        ^^^^^^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: deleteField() } as alice;
    }
    """#, #"""
    3:23 error: 'deleteField()' belongs to an update: here the field is just left out.
    | deny create /a/b { x: deleteField() } as alice;
    |                       ^^^^^^^^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny update /a/b { x: { y: deleteField() } } as alice;
    }
    """#, #"""
    3:28 error: 'deleteField()' cannot stand inside a map.
    | deny update /a/b { x: { y: deleteField() } } as alice;
    |                            ^^^^^^^^^^^
    note: A field within a map is named by a quoted path: { 'map.field': deleteField() }
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny update /a/b { x: deleteField(1), y: increment(), z: arrayUnion('x'), w: arrayRemove(['a'], ['b']) } as alice;
    }
    """#, #"""
    3:23 error: 'deleteField' takes no arguments: deleteField()
    | deny update /a/b { x: deleteField(1), y: increment(), z: arrayUnion('x'), w: arrayRemove(['a'], ['b']) } as alice;
    |                       ^^^^^^^^^^^
    3:42 error: 'increment' takes one number: increment(1)
    | deny update /a/b { x: deleteField(1), y: increment(), z: arrayUnion('x'), w: arrayRemove(['a'], ['b']) } as alice;
    |                                          ^^^^^^^^^
    3:58 error: 'arrayUnion' takes a list: arrayUnion(['x'])
    | deny update /a/b { x: deleteField(1), y: increment(), z: arrayUnion('x'), w: arrayRemove(['a'], ['b']) } as alice;
    |                                                          ^^^^^^^^^^
    3:78 error: 'arrayRemove' takes one list: arrayRemove(['x'])
    | deny update /a/b { x: deleteField(1), y: increment(), z: arrayUnion('x'), w: arrayRemove(['a'], ['b']) } as alice;
    |                                                                              ^^^^^^^^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny update /a/b { 'x..y': 1 } as alice;
    }
    """#, #"""
    3:20 error: Invalid property path "x..y".
    | deny update /a/b { 'x..y': 1 } as alice;
    |                    ^^^^^^
    note: As a path of fields a name in it is empty.
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny update /a/b { 'x': 1,
    'x.y': 2 } as alice;
    }
    """#, #"""
    4:1 error: 'x.y' and the field in line 3 overlap.
    | 'x.y': 2 } as alice;
    | ^^^^^
    note: Of one update, no field may lie within another.
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { 'x.y': 1 } as alice;
    }
    """#, #"""
    3:20 warning: The dot is part of the field's name here: only in an update does it lead into a map.
    | deny create /a/b { 'x.y': 1 } as alice;
    |                    ^^^^^
    note: A field within a map is written as x: { y: … }
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { x: 1 } as alice;
    deny create /a/b { x: vector([1]), y: vector(1, 2), z: [vector([1])], w: 1 + vector([1]) } as alice;
    }
    """#, #"""
    4:39 error: 'vector' takes one list of numbers: vector([1.0, 2.0])
    | deny create /a/b { x: vector([1]), y: vector(1, 2), z: [vector([1])], w: 1 + vector([1]) } as alice;
    |                                       ^^^^^^
    4:78 error: 'vector([…])' stands alone as a value.
    | deny create /a/b { x: vector([1]), y: vector(1, 2), z: [vector([1])], w: 1 + vector([1]) } as alice;
    |                                                                              ^^^^^^
    """#),
  Mistake(#"""
    user alice = anonymous();
    test 't' {
    deny create /a/b { r: /users } as alice;
    }
    """#, #"""
    3:23 error: This path names a collection: a reference is to a document.
    | deny create /a/b { r: /users } as alice;
    |                       ^^^^^^
    note: A document's path has an even number of segments: /collection/document.
    """#),
  Mistake(#"""
    given /a/b { x: increment(1) };
    """#, #"""
    1:17 error: 'increment(…)' changes what is there: a fixture has plain values.
    | given /a/b { x: increment(1) };
    |                 ^^^^^^^^^
    """#),
  Mistake(#"""
    given /a/b {};
    given /a/b {};
    """#, #"""
    2:7 error: This document is given twice.
    | given /a/b {};
    |       ^^^^
    note: The first time in line 1.
    """#),
  Mistake(#"""
    given /a/b { x: 1 / 0 };
    """#, #"""
    1:19 error: Divide by zero error.
    | given /a/b { x: 1 / 0 };
    |                   ^
    """#),
  Mistake(#"""
    given /a/$('x/y') {};
    """#, #"""
    1:12 error: The id 'x/y' holds a slash.
    | given /a/$('x/y') {};
    |            ^^^^^
    """#),
  Mistake(#"""
    given /a/$(5) {};
    """#, #"""
    1:12 error: An id in a path is text.
    | given /a/$(5) {};
    |            ^
    note: string(…) makes text of a number.
    """#),
  Mistake(#"""
    given /a/__x__ {};
    """#, #"""
    1:1 error: Resource id "__x__" is invalid because it is reserved.
    | given /a/__x__ {};
    | ^^^^^^^^^^^^^^^^^
    note: Ids that begin and end with two underscores belong to Firestore.
    """#),
  Mistake(#"""
    given /a/b { x: [1].toSet() };
    """#, #"""
    1:21 error: A set is no value that a document can hold.
    | given /a/b { x: [1].toSet() };
    |                     ^^^^^
    """#),
  Mistake(#"""
    given /a/b { x: day };
    function day() { return 1; }
    """#, #"""
    1:17 error: Unknown name 'day'. It is a function: day(…)
    | given /a/b { x: day };
    |                 ^^^
    """#),
  Mistake(#"""
    given /a/b { x: day(2) };
    function day() { return 1; }
    """#, #"""
    1:17 error: 'day' takes 0 arguments, not 1.
    | given /a/b { x: day(2) };
    |                 ^^^
    """#),
  Mistake(#"""
    test 't' { }
    test 't' { }
    """#, #"""
    1:6 warning: The test has no step: it shows nothing.
    | test 't' { }
    |      ^^^
    2:6 warning: Another test has the same name.
    | test 't' { }
    |      ^^^
    note: It is in line 1.
    2:6 warning: The test has no step: it shows nothing.
    | test 't' { }
    |      ^^^
    """#),
  Mistake(#"""
    never get /a/{b} if c == b;
    """#, #"""
    1:21 error: Unknown name 'c'.
    | never get /a/{b} if c == b;
    |                     ^
    """#),
  Mistake(#"""
    user alice = anonymous();
    never get /a/{b} if request.auth.uid == alice.uid;
    """#, #"""
    2:41 error: Unknown name 'alice'.
    | never get /a/{b} if request.auth.uid == alice.uid;
    |                                         ^^^^^
    note: An invariant is about every user: users of the file cannot be named in it.
    """#),
  Mistake(#"""
    never get /a if true;
    """#, #"""
    1:11 error: This path names a collection: an invariant is about documents.
    | never get /a if true;
    |           ^^
    note: For every document in it, add a capture: /a/{id}
    """#),
  Mistake(#"""
    never get /a/{b}/c/{b} if true;
    """#, #"""
    1:21 error: The capture 'b' is named twice.
    | never get /a/{b}/c/{b} if true;
    |                     ^
    """#),
  Mistake(#"""
    never get /a/{request} if true;
    """#, #"""
    1:15 error: 'request' has a meaning of its own and cannot name a capture.
    | never get /a/{request} if true;
    |               ^^^^^^^
    """#),
  Mistake(#"""
    never get /a/{b} unless mine(b, 1);
    function mine(x) { return x == request.auth.uid; }
    """#, #"""
    1:25 error: 'mine' takes 1 argument, not 2.
    | never get /a/{b} unless mine(b, 1);
    |                         ^^^^
    """#),
  Mistake(#"""
    allows get /a/{b} as bob;
    """#, #"""
    1:22 error: Unknown user 'bob'.
    | allows get /a/{b} as bob;
    |                      ^^^
    """#),
  Mistake(#"""
    immutable /a/{b} fields c, c;
    """#, #"""
    1:28 error: The field 'c' is named twice.
    | immutable /a/{b} fields c, c;
    |                            ^
    """#),
  Mistake(#"""
    isolate /a/{b} by c;
    """#, #"""
    1:19 error: Unknown name 'c'.
    | isolate /a/{b} by c;
    |                   ^
    """#),
]
