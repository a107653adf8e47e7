/// Rules and tests for who has none yet.
enum Starter {
  static let rules = """
    rules_version = '2';

    // What no match below covers is denied to everybody.
    service cloud.firestore {
      match /databases/{database}/documents {

        // Whether this user asks. For callers who are signed out request.auth is null.
        function isUser(uid) {
          return request.auth != null && request.auth.uid == uid;
        }

        // Whether a note has these fields and no others. A client can write whatever is not ruled out here.
        function isNote(note) {
          return note.keys().hasOnly(['title', 'done', 'created'])
            && note.title is string && note.title.size() > 0 && note.title.size() <= 80
            && note.done is bool;
        }

        // Each user has notes of their own: put your collections here.
        match /users/{uid}/notes/{note} {
          // Rules are not filters: a query is allowed only if all that it can return may be read.
          allow read, delete: if isUser(uid);

          // `request.resource` is the document as it will be, `resource` as it is.
          allow create: if isUser(uid) && isNote(request.resource.data)
            && request.resource.data.created == request.time;
          allow update: if isUser(uid) && isNote(request.resource.data)
            && request.resource.data.created == resource.data.created;
        }
      }
    }

    """

  /// - Parameter head: what names the rules and the database, where that is needed.
  static func tests(of name: String, head: String) -> String {
    """
    // Tests of \(name). Run them: rules-test

    \(head)// A user's uid is the name. The provider decides what the token holds.
    user alice = password({ email: 'alice@example.com', email_verified: true });
    user bob = google();

    // What is stored when each test begins.
    given /users/alice/notes/milk { title: 'Milk', done: false, created: timestamp.date(2025, 12, 24) };

    test 'notes are for their user alone' {
      allow get /users/alice/notes/milk as alice;
      allow list /users/alice/notes as alice;
      // `nobody` is signed out.
      deny get /users/alice/notes/milk as bob, nobody;
      deny list /users/alice/notes as bob, nobody;
    }

    test 'a note is written' {
      // An allowed write is done: what comes after it sees it.
      allow create /users/alice/notes/tea { title: 'Tea', done: false, created: request.time } as alice;
      deny create /users/alice/notes/tin { title: 'Tin', done: false, created: request.time } as bob, nobody;
      deny create /users/alice/notes/old { title: 'Old', done: false, created: timestamp.date(2020, 1, 1) } as alice;
    }

    test 'a note has its fields and no others' {
      deny create /users/alice/notes/n { title: '', done: false, created: request.time } as alice;
      deny create /users/alice/notes/n { title: ['N'], done: false, created: request.time } as alice;
      deny create /users/alice/notes/n {
        title: 'A title of more than eighty letters is too long to be shown in a line of a small telephone',
        done: false, created: request.time
      } as alice;
      deny create /users/alice/notes/n { title: 'N', done: 'no', created: request.time } as alice;
      deny create /users/alice/notes/n { title: 'N', done: false, created: request.time, admin: true } as alice;
    }

    test 'a note is changed and deleted' {
      allow update /users/alice/notes/milk { done: true } as alice;
      deny update /users/alice/notes/milk { done: 'yes' } as alice;
      deny update /users/alice/notes/milk { created: request.time } as alice;
      deny update /users/alice/notes/milk { done: false } as bob, nobody;
      deny delete /users/alice/notes/milk as bob, nobody;
      allow delete /users/alice/notes/milk as alice;
    }

    // Invariants are proved for all users, requests and databases at once, with the solver z3.
    isolate /users/{uid}/notes/{note} by uid;
    immutable /users/{uid}/notes/{note} fields created;

    """
  }
}
