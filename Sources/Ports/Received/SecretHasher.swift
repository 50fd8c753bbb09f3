/// Hashes secrets for storage and compares them in constant time.
///
/// Contract: pure functions; safe from any thread.
package protocol SecretHasher: Sendable {
    /// Returns all 32 bytes of SHA-256.
    func sha256(_ bytes: [UInt8]) -> [UInt8]
    /// Returns whether both are equal, in time that depends on their lengths only.
    func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool
}

/// Computes message authentication codes with HMAC-SHA256 (RFC 2104).
package protocol MessageHasher: Sendable {
    /// Begins the code of a message that arrives in pieces.
    func hmacSHA256(key: [UInt8]) -> any MessageCode
}

/// The authentication code of a message that is being received. Used by one thread at a time.
package protocol MessageCode: Sendable {
    /// Appends a piece of the message.
    func update(_ piece: UnsafeRawBufferPointer)
    /// Returns the 32 bytes of the code. The last call.
    func finish() -> [UInt8]
}
