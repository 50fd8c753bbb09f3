/// Hashes secrets for storage and compares them in constant time.
///
/// Contract: pure functions; safe from any thread.
package protocol SecretHasher: Sendable {
    /// Returns all 32 bytes of SHA-256.
    func sha256(_ bytes: [UInt8]) -> [UInt8]
    /// Returns whether both are equal, in time that depends on their lengths only.
    func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool
}
