import RulesEngine

extension DataLaws {
  /// As documented; the official emulator 1.19.9 lets more pass.
  static let maximumTransforms = 500

  /// Checks a write before anything is known of its document.
  static func check(_ write: Write, _ words: FirestoreWords) throws(FirestoreError) {
    try check(write.path)
    for path in write.mask ?? [] { try check(path) }
    for transform in write.transforms {
      try check(transform.path)
      try transform.transform.check()
    }
    if let (outer, _) = FieldPath.overlapping(Array(Set(write.transforms.map(\.path)))) {
      throw FirestoreError(
        .invalidArgument, "Cannot transform property \(outer) and its nested property at the same time.")
    }
    guard write.transforms.count <= maximumTransforms || words.dialect == .emulator1_19 else {
      throw FirestoreError(
        .invalidArgument, "A write has at most \(maximumTransforms) transforms, not \(write.transforms.count).")
    }
    // What a mask leaves out is checked nevertheless.
    if write.mask != nil { try check(write.fields, at: write.path) }
  }

  /// Checks a path of fields as it stands in masks, transforms and queries.
  static func check(_ path: FieldPath) throws(FirestoreError) {
    if path.isDocumentName { return }
    for name in path.names where isReserved(name.string) {
      throw FirestoreError(.invalidArgument, "Invalid reserved name in field path \(path)")
    }
    guard path.names.count <= maximumPathDepth else {
      throw FirestoreError(
        .invalidArgument, "Property \(path.names[0]) contains an invalid nested entity.",
        note: "Maps and arrays are nested at most \(maximumDepth) deep.")
    }
  }

  private static let maximumPathDepth = maximumDepth + 1
}
