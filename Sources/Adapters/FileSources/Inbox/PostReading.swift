import HealthSyncDomain
import HealthSyncPorts

/// A reading of posts, each of which is decoded by a function.
struct PostReading: InboxReading {
    /// Decodes one post: throws before it adds the first sample, or not at all.
    typealias Decode = (_ post: InboxPost, _ samples: inout PostSamples) throws -> Void

    private var samples: PostSamples
    private let decode: Decode

    init(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void, decode: @escaping Decode
    ) {
        samples = PostSamples(selection, in: context, receive: receive)
        self.decode = decode
    }

    var account: SourceReading { samples.account }

    mutating func take(_ post: InboxPost) throws { try decode(post, &samples) }

    mutating func finish() throws -> SourceReading { try samples.finish() }
}

extension InboxPost {
    /// The body as a JSON value.
    ///
    /// - Throws: `SyncFailure` with `.badInput` if it is not one.
    func json() throws -> JSONNode {
        guard let node = JSONNode(body) else { throw undecodable("the body is not valid JSON") }
        return node
    }

    /// The body as a JSON object.
    ///
    /// - Throws: `SyncFailure` with `.badInput` if it is not one.
    func jsonObject() throws -> JSONObject {
        guard let object = try json().object else { throw undecodable("the body is not a JSON object") }
        return object
    }

    /// Returns the failure of a post that cannot be decoded as a whole.
    func undecodable(_ reason: String, advice: String = "check the settings of the app") -> SyncFailure {
        SyncFailure(.badInput, subject: "post \(id)", reason: reason, advice: advice)
    }
}
