// The one file of this room that uses unsafe pointers: the calls into OpenSSL's libcrypto. Every pointer lives no
// longer than the call that takes it; what libcrypto allocates is freed here or owned by `RSAKey` and `Certificate`.
import COpenSSL

enum LibCrypto {
  enum Hash {
    case md5, sha1, sha256

    fileprivate var algorithm: OpaquePointer? {
      switch self {
      case .md5: EVP_md5()
      case .sha1: EVP_sha1()
      case .sha256: EVP_sha256()
      }
    }
  }

  /// Empty if the library lacks the hash function.
  static func digest(_ hash: Hash, _ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    let ok = message.withUnsafeBytes { message in
      EVP_Digest(message.baseAddress, message.count, &digest, &count, hash.algorithm, nil)
    }
    return ok == 1 ? Array(digest.prefix(Int(count))) : []
  }

  /// Empty if the library lacks the hash function.
  static func hmac(_ hash: Hash, key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard let length = Int32(exactly: key.count),
      HMAC(hash.algorithm, key, length, message, message.count, &code, &count) != nil
    else { return [] }
    return Array(code.prefix(Int(count)))
  }

  /// Nil for parameters that scrypt does not know, or that ask for more than `maxMemory` bytes.
  static func scrypt(
    password: [UInt8], salt: [UInt8], n: UInt64, r: UInt64, p: UInt64, length: Int, maxMemory: UInt64 = 256 << 20
  ) -> [UInt8]? {
    var key = [UInt8](repeating: 0, count: length)
    let ok = password.withUnsafeBytes { password in
      // libcrypto takes a missing password for no wish for a key; an empty one needs an address.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: password.count + 1) { copy in
        for (index, byte) in password.enumerated() { copy[index] = CChar(bitPattern: byte) }
        return EVP_PBE_scrypt(copy.baseAddress, password.count, salt, salt.count, n, r, p, maxMemory, &key, length)
      }
    }
    return ok == 1 ? key : nil
  }

  /// - Parameters: a key of 32 and a first counter of 16 bytes; nil for others.
  static func aes256CTR(key: [UInt8], counter: [UInt8], _ message: [UInt8]) -> [UInt8]? {
    guard key.count == 32, counter.count == 16, let length = Int32(exactly: message.count),
      let context = EVP_CIPHER_CTX_new()
    else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    var out = [UInt8](repeating: 0, count: message.count + 16)
    var count: Int32 = 0
    guard EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nil, key, counter) == 1,
      EVP_EncryptUpdate(context, &out, &count, message, length) == 1
    else { return nil }
    return Array(out.prefix(Int(count)))
  }

  /// The digits of bytes in the URL alphabet, without padding.
  static func base64URL(_ bytes: [UInt8]) -> String {
    guard let length = Int32(exactly: bytes.count) else { return "" }
    // One more for the zero with which libcrypto ends the text.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: (bytes.count + 2) / 3 * 4 + 1) { text in
      _ = EVP_EncodeBlock(text.baseAddress, bytes, length)
      let digits = text[..<((bytes.count * 4 + 2) / 3)]
      for i in digits.indices {
        let digit = text[i]
        text[i] =
          digit == UInt8(ascii: "+") ? UInt8(ascii: "-") : digit == UInt8(ascii: "/") ? UInt8(ascii: "_") : digit
      }
      return String(decoding: digits, as: UTF8.self)
    }
  }

  /// - Parameter digits: of the URL alphabet, without padding; left-over bits are dropped.
  /// - Returns: nil if one is none.
  static func bytes(ofBase64URL digits: ArraySlice<UInt8>) -> [UInt8]? {
    let count = (digits.count + 3) / 4 * 4
    guard let length = Int32(exactly: count) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count / 4 * 3)
    let decoded = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { standard in
      // Zeros, which become bytes that were not asked for.
      standard.initialize(repeating: UInt8(ascii: "A"))
      digits.withUnsafeBufferPointer { digits in
        for i in digits.indices {
          let digit = digits[i]
          // What libcrypto takes, and this alphabet has not, becomes something that it does not take.
          let isOther =
            digit == UInt8(ascii: "+") || digit == UInt8(ascii: "/") || digit == UInt8(ascii: "=") || digit <= 0x20
          let known =
            digit == UInt8(ascii: "-") ? UInt8(ascii: "+") : digit == UInt8(ascii: "_") ? UInt8(ascii: "/") : digit
          standard[i] = isOther ? UInt8(ascii: "!") : known
        }
      }
      return EVP_DecodeBlock(&bytes, standard.baseAddress, length)
    }
    guard decoded == Int32(bytes.count) else { return nil }
    bytes.removeLast(bytes.count - digits.count * 3 / 4)
    return bytes
  }

  /// Whether two secrets are equal, in a time that depends on their length alone.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}

/// An RSA key, of which the private half may be missing. Never changes, so it may be used from many threads.
final class RSAKey: @unchecked Sendable {
  fileprivate let key: OpaquePointer

  fileprivate init(owning key: OpaquePointer) { self.key = key }

  deinit { EVP_PKEY_free(key) }

  /// A new key pair; nil if libcrypto cannot make one.
  static func generate(bits: Int32 = 2048) -> RSAKey? {
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1,
      EVP_PKEY_keygen(context, &key) == 1, let key
    else { return nil }
    return RSAKey(owning: key)
  }

  /// From PKCS #1 or PKCS #8 in PEM, not encrypted; nil if it is something else.
  convenience init?(privatePEM: String) {
    let key = LibCrypto.reading(privatePEM) { bio in
      // The callback answers that there is no password; without it libcrypto would ask on the terminal.
      PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let key else { return nil }
    self.init(owning: key)
  }

  var isRSA: Bool { EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA }
  var bits: Int { Int(EVP_PKEY_get_bits(key)) }
  /// The length of a signature, in bytes.
  var signatureLength: Int { Int(EVP_PKEY_get_size(key)) }

  /// RS256: PKCS #1 version 1.5 over SHA-256. Nil without the private half.
  func sign(_ message: [UInt8]) -> [UInt8]? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    var count = 0
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, nil, &count, message, message.count) == 1
    else { return nil }
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { return nil }
    return Array(signature.prefix(count))
  }

  func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer {
      EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  /// PKCS #8 in PEM.
  var privatePEM: String? {
    LibCrypto.writing { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) == 1 }
  }
}

/// An x509 certificate. Never changes, so it may be used from many threads.
final class Certificate: @unchecked Sendable {
  private let certificate: OpaquePointer
  let publicKey: RSAKey
  /// Seconds since 1970 between which it is valid.
  let validity: ClosedRange<Int64>

  private init?(owning certificate: OpaquePointer) {
    guard let key = X509_get_pubkey(certificate) else {
      X509_free(certificate)
      return nil
    }
    publicKey = RSAKey(owning: key)
    self.certificate = certificate
    let begin = Self.seconds(X509_get0_notBefore(certificate))
    let end = Self.seconds(X509_get0_notAfter(certificate))
    validity = begin <= end ? begin...end : end...end
  }

  deinit { X509_free(certificate) }

  /// The first certificate in a PEM text; nil if there is none.
  convenience init?(pem: String) {
    guard let certificate = LibCrypto.reading(pem, { PEM_read_bio_X509($0, nil, nil, nil) }) else { return nil }
    self.init(owning: certificate)
  }

  /// Signed by the key itself.
  static func selfSigned(_ key: RSAKey, commonName: String, serial: Int, validity: ClosedRange<Int64>) -> Certificate? {
    guard let certificate = X509_new() else { return nil }
    let ok =
      X509_set_version(certificate, 2) == 1
      && ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial) == 1
      && ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(validity.lowerBound)) != nil
      && ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(validity.upperBound)) != nil
      && X509_set_pubkey(certificate, key.key) == 1
      && X509_NAME_add_entry_by_txt(
        X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, Array(commonName.utf8), Int32(commonName.utf8.count),
        -1, 0) == 1
      && X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1
      && X509_sign(certificate, key.key, EVP_sha256()) > 0
    guard ok else {
      X509_free(certificate)
      return nil
    }
    return Certificate(owning: certificate)
  }

  var pem: String? {
    LibCrypto.writing { PEM_write_bio_X509($0, certificate) == 1 }
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
    guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return 0 }
    defer { ASN1_STRING_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
    return Int64(days) * 86_400 + Int64(seconds)
  }
}

extension LibCrypto {
  fileprivate static func reading<R>(_ text: String, _ body: (OpaquePointer) -> R?) -> R? {
    let bytes = Array(text.utf8)
    guard let length = Int32(exactly: bytes.count), length > 0 else { return nil }
    defer { ERR_clear_error() }
    return bytes.withUnsafeBytes { bytes in
      guard let bio = BIO_new_mem_buf(bytes.baseAddress, length) else { return nil }
      defer { BIO_free(bio) }
      return body(bio)
    }
  }

  fileprivate static func writing(_ body: (OpaquePointer) -> Bool) -> String? {
    guard let bio = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(bio) }
    guard body(bio), let length = Int32(exactly: BIO_ctrl_pending(bio)) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(length))
    guard BIO_read(bio, &bytes, length) == length else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
