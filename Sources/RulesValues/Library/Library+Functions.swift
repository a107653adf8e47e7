extension Library {
  /// The function `name` of a package: `math.abs`, `duration.value`, …; `nil` when there is none
  /// (`Function not found error: Name: [math.cube].`).
  public static func function(package: String, _ name: String) -> LibraryFunction? {
    switch "\(package).\(name)" {
    default: nil
    }
  }

  /// A function that belongs to no package and needs nothing but its arguments.
  public static func builtin(_ name: String) -> LibraryFunction? {
    switch name {
    default: nil
    }
  }
}
