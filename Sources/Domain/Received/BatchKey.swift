/// An `Idempotency-Key` and a digest of the content it was used with. The same key with other content is rejected.
package struct BatchKey: Hashable, Sendable {
    /// The header's value.
    package var key: String
    /// A digest of method, target and decompressed body.
    package var content: ContentDigest

    package init(key: String, content: ContentDigest) {
        self.key = key
        self.content = content
    }
}
