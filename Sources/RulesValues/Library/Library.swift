/// The arguments of a call. The first four are kept; no method or function takes more, so that of a longer list
/// only the number matters.
@frozen
public struct Arguments: Sendable {
  public var count: Int
  public var a: Value
  public var b: Value
  public var c: Value
  public var d: Value

  @inlinable
  public init() { self.init(count: 0) }

  @inlinable
  public init(_ a: Value) { self.init(count: 1, a) }

  @inlinable
  public init(_ a: Value, _ b: Value) { self.init(count: 2, a, b) }

  @inlinable
  public init(_ values: [Value]) {
    self.init(count: values.count)
    for (i, v) in values.prefix(4).enumerated() { self[i] = v }
  }

  @inlinable
  public init(count: Int, _ a: Value = .null, _ b: Value = .null, _ c: Value = .null, _ d: Value = .null) {
    self.count = count
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  /// Argument `i`; null where there is none, or beyond the fourth.
  @inlinable
  public subscript(_ i: Int) -> Value {
    get {
      switch i {
      case 0: a
      case 1: b
      case 2: c
      case 3: d
      default: .null
      }
    }
    set {
      switch i {
      case 0: a = newValue
      case 1: b = newValue
      case 2: c = newValue
      case 3: d = newValue
      default: break
      }
    }
  }
}

/// A method by its name. It looks at the receiver's type itself; receiver and arguments are never failures.
public typealias LibraryMethod = @Sendable (_ receiver: Value, Arguments, Arena) -> Value
/// A function; the arguments are never failures.
public typealias LibraryFunction = @Sendable (Arguments, Arena) -> Value

/// The methods and functions of the language by name. Each is written once, in the file of its type or namespace,
/// and entered in a table here: `Library+Methods.swift`, `Library+Functions.swift`.
public enum Library {
  /// What a method call gives of which an argument failed: the receiver's complaint when its type has no such
  /// method, else the failure. (Observed on the official emulator 1.19.9: `null.size(1 / 0)` is a null value error.)
  public static func failed(_ method: LibraryMethod, _ receiver: Value, _ failure: Value, _ arena: Arena) -> Value {
    // No method takes this many arguments, so one that exists complains of their number.
    let probe = method(receiver, Arguments(count: .max), arena)
    switch probe.failureKind {
    case .functionNotFound, .nullValue: return failure.has(.exhausted) ? failure : probe
    default: return failure
    }
  }
}

extension Arena {
  /// What a method call gives when the receiver's type has no method of that name.
  public func noMethod(_ receiver: Value, _ name: StaticString) -> Value {
    receiver.has(.null) ? .error(.nullValue) : error(.functionNotFound, string(name))
  }

  /// The same for a method name that no type knows.
  public func noMethod(_ receiver: Value, _ name: Value) -> Value {
    receiver.has(.null) ? .error(.nullValue) : functionNotFound(name)
  }

  /// `Function not found error: Name: [math.cube].` A package's function is named together with the package.
  public func functionNotFound(_ name: Value) -> Value { error(.functionNotFound, name) }
}
