import CSQLite

/// The library that keeps files.
public enum SQLiteLibrary {
  public static var version: String { String(cString: sqlite3_libversion()) }
}
