/// An `Idempotency-Key` with the digest of what came under it: the same key with other content is refused.
package struct BatchKey: Hashable, Sendable {
    /// The header's value.
    package var key: String
    /// Digest of method, path and uncompressed body.
    package var content: ContentDigest

    package init(key: String, content: ContentDigest) {
        self.key = key
        self.content = content
    }
}
