/// Why a stream of bytes ended before its end.
struct StreamDamage: Sendable, Hashable {
    /// What was met.
    let what: String
    /// Whether the bytes just before the end may already be wrong, as in a broken deflate stream.
    let taintsTail: Bool
}
