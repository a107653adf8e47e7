import COpenSSL

/// The library that hashes and signs.
public enum HashLibrary {
  /// `OpenSSL 3.0.17 1 Jul 2025`
  public static var version: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
}
