/// Random numbers for jitter and new identities.
///
/// Contract: `bytes` is cryptographically secure; safe to call from any thread; never fails.
public protocol RandomSource: Sendable {
    /// Returns a number in 0..<1.
    func fraction() -> Double
    /// Returns `count` unpredictable bytes.
    func bytes(_ count: Int) -> [UInt8]
}
