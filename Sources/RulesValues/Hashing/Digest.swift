import COpenSSL

// The one file beside `Arena.swift` that hands raw memory to somebody: libcrypto.

/// Message digests, computed by libcrypto.
enum Digest {
  case md5, sha256

  /// The digest; `nil` when the library refuses (an algorithm may be switched off on a machine).
  func of(_ bytes: [UInt8]) -> [UInt8]? {
    let algorithm =
      switch self {
      case .md5: EVP_md5()
      case .sha256: EVP_sha256()
      }
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let done = bytes.withUnsafeBytes { message in
      digest.withUnsafeMutableBufferPointer { out in
        EVP_Digest(message.baseAddress, message.count, out.baseAddress, &count, algorithm, nil)
      }
    }
    return done == 1 ? Array(digest.prefix(Int(count))) : nil
  }
}
