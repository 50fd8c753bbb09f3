/// The reason why a stream of bytes ended early.
struct StreamDamage: Sendable, Hashable {
    /// The problem.
    let what: String
    /// Whether the bytes just before the end may already be wrong, as in a broken deflate stream.
    let taintsTail: Bool
}
