import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import Testing

/// Posts of apps for tests.
enum Post {
    static let device = "phone"
    static let all = BuiltInInboxDecoders.all(hasher: LibcryptoHasher())

    static func make(
        _ path: [String] = [], method: String = "POST", headers: [String: String] = [:], id: String = "1",
        _ body: String
    ) throws -> InboxPost {
        let headers = headers.merging(["content-type": "application/json"]) { own, _ in own }
        let head = InboxHead(
            method: method, path: path,
            headers: headers.sorted { $0.key < $1.key }.map { InboxHead.Header($0.key, $0.value) }, device: device,
            receivedAt: try #require(RFC3339.instant("2026-08-23T06:00:00Z")))
        return InboxPost(id: id, head: head, body: Array(body.utf8))
    }

    static func make(_ body: String) throws -> InboxPost { try make([], body) }

    /// Returns the first decoder that recognizes `post`.
    static func decoder(of post: InboxPost) throws -> any InboxDecoder {
        try #require(all.first { $0.recognizes(post.head, start: post.body.prefix(1 << 16)) })
    }

    /// Returns the answer of the first decoder that recognizes `post`.
    static func answer(_ post: InboxPost) async throws -> InboxAnswer {
        try await decoder(of: post).answer(to: post.head) { post.body }
    }

    /// Decodes posts with the decoder of the first one.
    static func read(
        _ posts: InboxPost..., selecting types: [SampleTypeDefinition]? = nil, in context: SourceContext = .utc
    ) async throws -> CollectedReading {
        let decoder = try decoder(of: posts[0])
        return try await CollectedReading.collect(
            DecodedPosts(decoder, posts, in: context),
            SampleSelection(types: types ?? [], includesOtherTypes: types == nil))
    }
}

extension SourceSample {
    /// `stepCount 1250.0 count 2026-08-22T21:10:46.500Z/PT60S Apple Watch`, for comparison in tests.
    var line: String {
        let seconds = CanonicalNumber.text(Double(interval.milliseconds) / 1000)
        return [
            type.shortName, CanonicalNumber.text(value), unit, RFC3339.string(interval.start), "\(seconds)s",
            origin.sourceName, detail?.externalID ?? "-",
        ].joined(separator: " ")
    }
}
