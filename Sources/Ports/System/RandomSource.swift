/// Chance, for jitter and new identities.
///
/// Contract: `bytes` is fit for secrets; safe from any thread; never fails.
public protocol RandomSource: Sendable {
    /// A number in 0..<1.
    func fraction() -> Double
    /// `count` unpredictable bytes.
    func bytes(_ count: Int) -> [UInt8]
}
