/// A mistake that people make in rules, data or requests: rules, a test whose last step is denied though it should be
/// allowed, what the explanation must name, and the fix that it must propose.
struct Mistake: Sendable, CustomStringConvertible {
  let name: String
  /// The rules inside `match /databases/{database}/documents { … }`, from line 4 of the file on.
  let rules: String
  let version: String
  /// What stands before the test.
  let head: String
  /// The step that goes wrong, without `allow`.
  let step: String
  /// Part of what a person is told: the true cause.
  let cause: String
  /// The first fix; `nil`: none can be found.
  let fix: String?
  /// The same test with the fix made by hand: a person's own reading of it, which must be allowed.
  let mended: Mended?

  struct Mended: Sendable {
    var rules: String?
    var head: String?
    var step: String?
    var version: String?
  }

  init(
    _ name: String, version: String = "rules_version = '2';", rules: String, head: String = "", step: String,
    cause: String,
    fix: String? = nil, mended: Mended? = nil
  ) {
    self.name = name
    self.version = version
    self.rules = rules
    self.head = head
    self.step = step
    self.cause = cause
    self.fix = fix
    self.mended = mended
  }

  var description: String { name }

  var rulesText: String { Self.rulesText(rules, version) }
  var testText: String { Self.testText(head, step) }

  static func rulesText(_ rules: String, _ version: String) -> String {
    "\(version)\nservice cloud.firestore {\n  match /databases/{database}/documents {\n\(rules)\n  }\n}\n"
  }

  static func testText(_ head: String, _ step: String) -> String {
    """
    user alice = password({ email: 'alice@example.com', email_verified: false });
    user bob = google();
    \(head)
    test 't' {
      allow \(step);
    }

    """
  }
}
