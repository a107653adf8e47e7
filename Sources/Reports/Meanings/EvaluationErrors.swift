import RulesValues

/// Errors of conditions, which have no ids: they are known by the official words.
public enum EvaluationErrors {
  /// In the order of `FailureKind`, and last what ends an evaluation.
  public static let all: [(words: String, cause: String, cure: String)] =
    FailureKind.allCases.compactMap(meaning) + [
      (
        "Unable to evaluate the expression as the maximum of 1000 expressions to evaluate has been reached.",
        "The condition is too long for one request; functions count each time they are called.",
        "Ask cheap things first, and work out with `let` what is used twice."
      )
    ]

  /// `nil`: the kind stands for words of many kinds.
  private static func meaning(_ kind: FailureKind) -> (words: String, cause: String, cure: String)? {
    switch kind {
    case .undefinedProperty:
      (
        "Property X is undefined on object.",
        "A map has no such key: a field, a claim, or all of `auth` in a TestSuite.",
        "`'x' in data && data.x == …`, or `data.get('x', null)`"
      )
    case .nullValue:
      (
        "Null value error.",
        "Something of null was asked for: `resource` of a document that is not there, `request.auth` of a caller who "
          + "is signed out, or `get` of a missing document.",
        "Ask for it first: `request.auth != null && …`, `resource != null`, `exists(…)`"
      )
    case .type:
      (
        "Type error. Received: [X] Expected: [Y].", "An operator got a type that it cannot take.",
        "Ask `is` first, or convert."
      )
    case .unsupported:
      (
        "Unsupported operation error. Received: X. Expected: Y.",
        "There is no such operation for these types, as `'5' > 3`, or `!'a' in list`, which is `(!'a') in list`.",
        "Convert one side; `!(… in …)`"
      )
    case .argumentCount:
      (
        "Incorrect number of arguments. Received: N. Expected: X.",
        "A function got more or fewer arguments than it takes.", "The message shows how it is called."
      )
    case .functionNotFound:
      (
        "Function not found error: Name: [X].", "There is no such function, or a TestSuite does not mock it.",
        "Mind the spelling; mock `get` and `exists`."
      )
    case .divideByZero: ("Divide by zero error.", "A division by 0, or `%` by 0.", "Ask `!= 0` first.")
    case .integerRange:
      (
        "Integer value is out of the […] range.", "An int beyond 64 bits.",
        "Compare before calculating, or take a float."
      )
    case .indexOutOfBounds:
      ("Index out of bound error. Index: [N] , size: [N].", "A list or text is shorter.", "Ask `.size()` first.")
    case .illegalRange:
      (
        "Illegal range error. From index: [N] , To index: [N].", "A piece of a list or text begins behind its end.",
        "Ask `.size()` first."
      )
    case .conversion:
      (
        "Type conversion error. Argument: [X], From type: [string], To type: [Y].",
        "A text is no number, bool or path.", "Ask `.matches('[0-9]+')` first."
      )
    case .invalidPattern:
      (
        "Invalid regular expression pattern. Pattern: X.", "The pattern is not RE2.",
        "No look-ahead and no back references; a backslash is written twice."
      )
    case .timestampRange:
      ("Timestamp is not valid. …", "A time beyond the years 1 to 9999.", "Compare before calculating.")
    case .durationRange: ("Duration is not valid. …", "A duration beyond 10,000 years.", "Compare before calculating.")
    case .yearRange:
      (
        "Timestamp should be between 0001-01-01T00.00.00Z and 9999-12-31T23.59.59Z. year: N.",
        "A year beyond 1 to 9999.", "Check it."
      )
    case .invalidDate:
      ("Date is not valid. year: N, month: N day: N.", "There is no such day.", "Months and days count from 1.")
    case .latlngRange:
      (
        "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. …",
        "There is no such place.", "`latlng.value(latitude, longitude)`"
      )
    case .text: nil
    case .unboundVariable:
      (
        "Variable X is not bound in path template.",
        "A query knows no value for a capture, such as the id of a document.",
        "Compare with a field that the query filters on."
      )
    case .constraintEquality:
      (
        "Equality is not defined for type CONSTRAINT_VALUE", "A set or difference of what a query only limits.",
        "Compare the field itself."
      )
    case .memory:
      (
        "The request needs more memory or work than it may use.",
        "Ours: the condition makes texts or lists that grow without end.", "Make it cheaper."
      )
    }
  }
}
