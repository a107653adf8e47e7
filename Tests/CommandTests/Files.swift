/// The files that the commands are tried on.
enum SampleFiles {
  static let all: [String: String] = [
    "good/firestore.rules": good,
    "good/firestore_test.rules": goodTests,
    "warned/firestore.rules": """
      service cloud.firestore {
        match /databases/{database}/documents {
          function unused() { return true; }
          match /users/{uid} { allow read: if true; }
        }
      }
      """,
    "broken/firestore.rules": """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /users/{uid} {
            allow read: if request.auth.uid == uid && isOwner();
            allow write: if request.auth.uid = uid;
          }
        }
      }
      """,
    "broken/firestore_test.rules": "test 't' { allow get /users/a as nobody; }",
    "failing/firestore.rules": good,
    "failing/firestore_test.rules": """
      user alice = password();
      user bob = apple();
      given /users/alice/lists/a { title: 'A' };

      test 'the owner reads' {
        allow get /users/alice/lists/a as alice;
      }
      test 'a stranger reads' {
        allow get /users/alice/lists/a as bob, nobody;
      }
      """,
    "notes/firestore.rules": """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /notes/{note} {
            allow list: if resource.data.owner == request.auth.uid && request.query.limit <= 50;
          }
        }
      }
      """,
    "notes/firestore_test.rules": """
      user alice = password();

      test 'everybody lists everything' {
        allow list /notes as alice, nobody;
      }
      """,
    "limits/firestore.rules": """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /a/{id} {
            allow get: if some(1) || some(4) || some(7) || some(10);
            function some(n) { return isThere(n) || isThere(n + 1) || isThere(n + 2); }
            function isThere(n) { return exists(/databases/$(database)/documents/d/$(string(n))); }
          }
        }
      }
      """,
    "mistaken/firestore.rules": good,
    "mistaken/firestore_test.rules": "test 't' { allow gte /users/a/lists/b as nobody; }",
    "orphan/other_test.rules": "test 't' { deny get /users/a as nobody; }",
    "untested/firebase.json": """
      {"firestore": [{"rules": "main.rules"}, {"database": "archive", "rules": "archive.rules"}, {"database": "log", "rules": "log.rules"}]}
      """,
    "bare/firestore.rules": good, "bare/firestore_test.rules": "// Nothing yet.\n",
    "untested/main.rules": good,
    "untested/main_test.rules": goodTests,
    "untested/archive.rules": good,
    "untested/log.rules": "service cloud.firestore {",
    "several/firebase.json": """
      { "firestore": [
        { "database": "(default)", "rules": "main.rules" },
        { "database": "archive", "rules": "archive.rules" } ] }
      """,
    "several/main.rules": good,
    "several/archive.rules": good.replacing("allow read: if request", with: "allow delete: if request"),
    "several/main_test.rules": goodTests,
    "several/archive_test.rules": """
      database 'archive';
      user alice = password();
      given /users/alice/lists/a { title: 'A' };
      test 'the archive has its own rules' {
        deny get /users/alice/lists/a as alice because 'false for';
        allow delete /users/alice/lists/a as alice;
      }
      """,
    "empty/readme.txt": "nothing here",
    "given.json": #"{ "/users/alice/lists/a": { "title": "A", "items": 3, "price": 1.0 } }"#,
    "data.json": #"{ "title": "New" }"#,
    "wrong.json": "{",
  ]

  static let good = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid}/lists/{id} {
          allow read: if request.auth != null && request.auth.uid == uid;
          allow create: if request.auth.token.admin == true && request.resource.data.title is string;
          allow update: if resource.data.items == 3 && request.resource.data.items == 4;
        }
        match /{document=**} {
          allow read, write: if false;
        }
      }
    }

    """

  static let goodTests = """
    user alice = password();
    user bob = apple();
    given /users/alice/lists/a { title: 'A' };

    test 'the owner reads' {
      allow get /users/alice/lists/a as alice;
      deny get /users/alice/lists/a as bob, nobody;
    }
    never create, delete /{document=**} unless request.auth != null;

    """
}
