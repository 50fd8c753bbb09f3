public import HealthSyncDomain
public import HealthSyncPorts

/// Posts of one app as a source, decoded in one reading.
public struct DecodedPosts: HealthDataSource {
    private let decoder: any InboxDecoder
    private let posts: [InboxPost]
    private let context: SourceContext

    /// The samples that `decoder` finds in `posts`.
    public init(_ decoder: any InboxDecoder, _ posts: [InboxPost], in context: SourceContext = .utc) {
        self.decoder = decoder
        self.posts = posts
        self.context = context
    }

    /// The ids of the posts.
    public var location: String { posts.map(\.id).joined(separator: " ") }
    /// The provider of the decoder.
    public var provider: String { decoder.provider }
    /// The semantics of the decoder.
    public var semantics: SourceSemantics { decoder.semantics }

    /// Returns a fingerprint of the ids.
    public func fingerprint() async throws -> SourceFingerprint {
        SourceFingerprint(path: location, content: "\(posts.map(\.body.count))")
    }

    /// Decodes the posts in order; throws if one of them cannot be decoded.
    public func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        var reading = decoder.reading(selection, in: context, receive: receive)
        for post in posts { try reading.take(post) }
        return try reading.finish()
    }
}
