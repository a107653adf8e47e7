import RulesSyntax
import Testing

@testable import RulesTesting

/// Rules that show who asks.
private let rules = """
  rules_version = '2';
  service cloud.firestore {
    match /databases/{database}/documents {
      match /mine/{uid} { allow read, write: if request.auth != null && request.auth.uid == uid; }
      match /by/{provider} { allow read: if request.auth != null && request.auth.token.firebase.sign_in_provider == provider; }
      match /admin/{id} { allow read: if request.auth != null && request.auth.token.get('admin', false); }
      match /nobody/{id} { allow read: if request.auth == null; }
      match /fresh/{id} { allow read: if request.auth.token.iat == request.time.toMillis() / 1000; }
    }
  }
  """

private func run(_ text: String) -> FileResult {
  Runner().run(
    TestFile.load(SourceFile(name: "a_test.rules", text: text)), RulesFile(SourceFile(name: "a.rules", text: rules)))
}

/// Everything that is wrong, as a terminal shows it.
private func complaints(_ text: String) -> String {
  let result = run(text)
  var lines: [String] = []
  for diagnostic in result.diagnostics { lines.append(draw(diagnostic, in: result.test.file)) }
  for test in result.tests {
    for mistake in test.mistakes { lines.append(draw(mistake, in: result.test.file)) }
    for step in test.steps {
      if let mistake = step.mistake { lines.append(draw(mistake, in: result.test.file)) }
      for verdict in step.verdicts where !verdict.isHeld {
        lines.append("line \(step.step.range.start.line), \(verdict.user.text): \(verdict.status)")
      }
    }
  }
  return lines.joined(separator: "\n")
}

@Suite struct UserActionTests {
  @Test func `users sign out and in, reinstall, link, leave, and are changed between steps`() {
    let text = """
      user alice = apple();
      user bob = google({ email: 'bob@example.com' });
      user guest = anonymous();
      user carol = password({ email_verified: true, mfa: 'totp' });
      test 'all of it' {
        sign out alice, carol;
        allow get /nobody/x as alice, carol, nobody;
        sign in alice, carol;
        allow get /mine/alice as alice;
        allow get /mine/carol as carol;
        reinstall bob, guest;
        allow get /nobody/x as bob, guest;
        sign in bob;
        sign in guest;
        allow get /mine/bob as bob;
        allow get /by/anonymous as guest;
        deny get /mine/guest as guest;
        allow get /mine/$(guest.uid) as guest;
        link guest with phone({ phone: '+15555550100' });
        allow get /by/phone as guest;
        link guest with oidc('oidc.line', { name: 'Line' });
        allow get /by/oidc.line as guest;
        sign out guest;
        sign in guest;
        allow get /by/oidc.line as guest;
        delete bob;
        allow get /nobody/x as bob;
        sign in bob;
        deny get /mine/bob as bob;
        allow get /mine/$(bob.uid) as bob;
        change alice { claims: { admin: true } };
        deny get /admin/x as alice;
        refresh alice;
        allow get /admin/x as alice;
        revoke alice;
        allow get /admin/x as alice;
        refresh alice;
        allow get /nobody/x as alice;
      }
      test 'each test begins anew' {
        allow get /mine/alice as alice;
        allow get /mine/bob as bob;
        allow get /mine/guest as guest;
        deny get /admin/x as alice;
      }
      """
    #expect(complaints(text) == "")
    #expect(run(text).totals == Totals(passed: 2, failed: 0, steps: 22))
  }

  @Test func `the token of a user of whom a test says such things is held, and renewed before its end`() {
    #expect(
      complaints(
        """
        user alice = apple();
        user bob = apple();
        test 't' {
          refresh alice;
          allow get /fresh/x as alice, bob;
          at request.time + duration.value(10, 's');
          deny get /fresh/x as alice because "false for 'get'";
          allow get /fresh/x as bob;
          at request.time + duration.value(3291, 's');
          allow get /fresh/x as alice, bob;
        }
        """) == "")
  }

  @Test func `where nobody does anything, tokens are as they were`() {
    #expect(
      complaints(
        """
        user alice = apple();
        test 't' {
          at request.time + duration.value(10, 's');
          allow get /fresh/x as alice;
        }
        """) == "")
  }

  @Test func `two users of a file may be one person, unless a test is about both`() {
    let users = """
      user alice = password({ uid: 'a', email: 'a@example.com' });
      user strong = password({ uid: 'a', email: 'a@example.com', email_verified: true, mfa: 'totp' });
      """
    #expect(complaints(users + "test 't' { sign out alice; allow get /mine/a as strong; deny get /mine/a as alice; }") == "")
    #expect(
      complaints(users + "\ntest 't' { sign out alice; refresh strong; allow get /mine/a as strong; deny get /mine/a as alice; }")
        .hasPrefix(
          "3:36 error: 'strong' cannot have an account beside the others: There is an account 'a' already."))
  }

  @Test(arguments: actionMistakes) func `a mistake is marked, with what would be right`(_ mistake: Mistake) {
    let found = complaints(mistake.source)
    #expect(found == mistake.expected)
  }
}

private let actionMistakes: [Mistake] = [
  // Of the grammar.
  Mistake(#"""
    user alice = apple();
    test 't' { sign alice; deny get /mine/b as alice; }
    """#, #"""
    2:17 error: Expected 'in' or 'out': sign in alice; sign out alice;, found 'alice'.
    | test 't' { sign alice; deny get /mine/b as alice; }
    |                 ^^^^^
    """#),
  Mistake(#"""
    user alice = apple();
    test 't' {
      delete /mine/alice;
      deny get /mine/b as alice;
    }
    """#, #"""
    3:3 error: Expected 'allow' or 'deny' before 'delete'.
    |   delete /mine/alice;
    |   ^^^^^^
    note: The account of a user is deleted by its name: delete alice;
    """#),
  Mistake(#"""
    user alice = apple();
    test 't' {
      link alice to google();
      link alice with google;
      link alice, bob with google();
      change alice;
      change alice email;
      refresh 'alice';
      reinstall alice
      revoke alice;
      deny get /mine/b as alice;
    }
    sign out alice;
    """#, #"""
    3:14 error: Expected 'with' and a provider such as apple(), found 'to'.
    |   link alice to google();
    |              ^^
    4:19 error: Expected a provider such as google(…), found an expression.
    |   link alice with google;
    |                   ^^^^^^
    5:13 error: 'link' is about one user: write a statement for each.
    |   link alice, bob with google();
    |             ^
    6:15 error: Expected what changes: { claims: { admin: true } }, found ';'.
    |   change alice;
    |               ^
    7:16 error: Expected what changes: { claims: { admin: true } }, found 'email'.
    |   change alice email;
    |                ^^^^^
    8:11 error: Expected the name of a user, found 'alice'.
    |   refresh 'alice';
    |           ^^^^^^^
    9:18 error: Expected ';' after this statement.
    |   reinstall alice
    |                  ^
    fix: Add ';'. [;]
    13:1 error: 'sign' stands inside a test: test 'what is shown' { … }
    | sign out alice;
    | ^^^^
    """#),
  // Of names and options.
  Mistake(#"""
    user alice = apple();
    test 't' {
      sign out nobody;
      sign out alcie, alice, alice;
      link alice with gogle();
      link alice with custom();
      link alice with google({ uid: 'x' });
      link alice with password({ mail: 'x' });
      link alice with oidc();
      link alice with apple(1);
      change alice { admin: true };
      change alice { name: bob };
      deny get /mine/b as alice;
    }
    """#, #"""
    3:12 error: 'nobody' is the caller who is signed out: there is no account.
    |   sign out nobody;
    |            ^^^^^^
    note: Users are declared at the top: user guest = anonymous();
    4:12 error: Unknown user 'alcie'. Did you mean 'alice'?
    |   sign out alcie, alice, alice;
    |            ^^^^^
    4:26 error: 'alice' is named twice.
    |   sign out alcie, alice, alice;
    |                          ^^^^^
    5:19 error: Unknown provider 'gogle'. Did you mean 'google'?
    |   link alice with gogle();
    |                   ^^^^^
    note: Providers are password, emailLink, phone, anonymous, apple, google, facebook, twitter, github, microsoft, yahoo, custom, oidc, saml.
    6:19 error: 'custom' is no way to sign in that an account can be linked with.
    |   link alice with custom();
    |                   ^^^^^^
    7:28 error: What 'google' links has no option 'uid'.
    |   link alice with google({ uid: 'x' });
    |                            ^^^
    note: Options are email, email_verified, name, picture, raw_id.
    8:30 error: What 'password' links has no option 'mail'. Did you mean 'email'?
    |   link alice with password({ mail: 'x' });
    |                              ^^^^
    note: Options are email.
    9:19 error: 'oidc' needs the provider's id, as in oidc('oidc.example').
    |   link alice with oidc();
    |                   ^^^^
    10:25 error: Expected a map of options: apple({ email: '…' })
    |   link alice with apple(1);
    |                         ^
    11:18 error: An account has no option 'admin'.
    |   change alice { admin: true };
    |                  ^^^^^
    note: A custom claim is written as claims: { admin: … }
    note: Options are claims, disabled, email_verified, name, picture.
    12:24 error: Unknown name 'bob'.
    |   change alice { name: bob };
    |                        ^^^
    note: Text stands in quotes; names are those of users, and request.time.
    """#),
  // Of what cannot be done.
  Mistake(#"""
    user alice = apple();
    user bob = google({ raw_id: '1', email: 'bob@example.com' });
    test 't' {
      sign in alice;
      sign out alice;
      refresh alice;
      link alice with google();
      sign in alice;
      link alice with google({ raw_id: '1' });
      link alice with password({ email: 'bob@example.com' });
      link alice with password({ email: 'no address' });
      link alice with github({ email: 1 });
      change alice { disabled: 'yes' };
      change alice { claims: { sub: 'x' } };
      change alice { disabled: true };
      delete alice;
      sign in alice;
      delete bob;
      revoke bob;
      deny get /mine/b as bob, alice;
    }
    """#, #"""
    4:11 error: 'alice' is signed in already.
    |   sign in alice;
    |           ^^^^^
    note: Users are, when a test begins. Before this: sign out alice;
    6:11 error: 'alice' is signed out.
    |   refresh alice;
    |           ^^^^^
    note: Before this: sign in alice;
    7:8 error: 'alice' is signed out.
    |   link alice with google();
    |        ^^^^^
    note: Before this: sign in alice;
    9:8 error: Another account has this identity of google.com.
    |   link alice with google({ raw_id: '1' });
    |        ^^^^^
    10:37 error: Another account has the address 'bob@example.com'.
    |   link alice with password({ email: 'bob@example.com' });
    |                                     ^^^^^^^^^^^^^^^^^
    11:37 error: 'no address' is no e-mail address; write one like 'alice@example.com'.
    |   link alice with password({ email: 'no address' });
    |                                     ^^^^^^^^^^^^
    12:35 error: 'email' must be a string, found 1.
    |   link alice with github({ email: 1 });
    |                                   ^
    13:28 error: 'disabled' must be true or false, found "yes".
    |   change alice { disabled: 'yes' };
    |                            ^^^^^
    14:26 error: The claim 'sub' belongs to the token itself; choose another name.
    |   change alice { claims: { sub: 'x' } };
    |                          ^^^^^^^^^^
    16:10 error: The account alice was disabled by an administrator.
    |   delete alice;
    |          ^^^^^
    17:11 error: The account alice was disabled by an administrator.
    |   sign in alice;
    |           ^^^^^
    19:10 error: There is no account 'bob'.
    |   revoke bob;
    |          ^^^
    """#),
  // Of conditions.
  Mistake(#"""
    never get /a/{b} if request.auth.token.firebase.sign_in_provider == 'apple';
    never get /a/{b} unless request.auth.token.firebase.sign_in_provider in ['google.com', 'oidc.line', 'gogle.com'];
    never get /a/{b} if isLink();
    function isLink() { return 'emailLink' != request.auth.token.firebase.sign_in_provider; }
    """#, #"""
    1:69 warning: No token has the sign_in_provider 'apple'. Did you mean 'apple.com'?
    | never get /a/{b} if request.auth.token.firebase.sign_in_provider == 'apple';
    |                                                                     ^^^^^^^
    2:101 warning: No token has the sign_in_provider 'gogle.com'. Did you mean 'google.com'?
    | never get /a/{b} unless request.auth.token.firebase.sign_in_provider in ['google.com', 'oidc.line', 'gogle.com'];
    |                                                                                                     ^^^^^^^^^^^
    4:28 warning: No token has the sign_in_provider 'emailLink'.
    | function isLink() { return 'emailLink' != request.auth.token.firebase.sign_in_provider; }
    |                            ^^^^^^^^^^^
    note: Who came by e-mail link is a 'password' user, too: the token does not tell them apart.
    """#),
]
