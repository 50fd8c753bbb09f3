import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Consecutive posts of one app as a source of one run.
final class InboxSource: HealthDataSource {
    /// What decoding one post yielded.
    struct DecodedPost: Sendable {
        var id: String
        var outcome: InboxOutcome
        /// The numbers of the deliveries in the post.
        var deliveries: [DeliveryNumber] = []
    }

    private static let attempts = Atomic<Int>(0)

    let decoder: any InboxDecoder
    /// Each device with the app is a change stream of its own: what one deletes, another may still have. Feeds with the
    /// same provider are one input, whichever device delivers them.
    let provider: String
    /// The ids of the posts, in the order in which they were received.
    let ids: [String]
    private let context: SourceContext
    private let archive: any InboxArchive
    private let time: any TimeSource
    private let contentKey: String
    /// Posts that are not decoded yet. A post is dropped when it is decoded, because bodies may be large.
    private let loaded: Mutex<[String: InboxPost]>
    private let decoded = Mutex<[DecodedPost]>([])

    init(
        _ posts: [InboxPost], of decoder: any InboxDecoder, in context: SourceContext, archive: any InboxArchive,
        hasher: any ContentHasher, time: any TimeSource
    ) {
        self.decoder = decoder
        self.context = context
        self.archive = archive
        self.time = time
        let device = posts.first?.head.device ?? ""
        provider =
            decoder.semantics == .changes && !device.isEmpty ? "\(decoder.provider)/\(device)" : decoder.provider
        ids = posts.map(\.id)
        loaded = Mutex(Dictionary(posts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
        // The archive knows what was imported: a post that waits is always read, also for a second time.
        let attempt = Self.attempts.add(1, ordering: .relaxed).newValue
        contentKey = "\(hasher.digest(ids.joined(separator: "\n")).bytes) \(time.now().milliseconds) \(attempt)"
    }

    var location: String { "inbox: \(decoder.name)" }
    var semantics: SourceSemantics { decoder.semantics }

    /// The outcome of each post of the last reading, in order.
    var outcomes: [DecodedPost] { decoded.withLock { $0 } }

    func fingerprint() async throws -> SourceFingerprint {
        SourceFingerprint(path: "inbox:\(provider)", content: contentKey)
    }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        for id in ids where loaded.withLock({ $0[id] == nil }) {
            let post = try await archive.post(id)
            loaded.withLock { $0[id] = post }
        }
        return try await BlockingWork.run("healthsync.inbox") { flag in
            try self.decode(selection, flag: flag, receive: receive)
        }
    }

    private func decode(
        _ selection: SampleSelection, flag: CancellationFlag,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) throws -> SourceReading {
        var reading = decoder.reading(selection, in: context, receive: receive)
        var results: [DecodedPost] = []
        for id in ids {
            try flag.check()
            guard let post = loaded.withLock({ $0.removeValue(forKey: id) }) else { continue }
            let before = reading.account
            var outcome = InboxOutcome(sender: decoder.name, decodedAt: time.now())
            do {
                try reading.take(post)
            } catch let failure as SyncFailure where failure.code == .badInput {
                outcome.reason = failure.reason
            }
            let after = reading.account
            outcome.records = after.recordsRead - before.recordsRead
            outcome.rejected = after.rejectedCount - before.rejectedCount
            outcome.deletions = after.deletions.count - before.deletions.count
            results.append(
                DecodedPost(
                    id: id, outcome: outcome, deliveries: Array(after.deliveries.dropFirst(before.deliveries.count))))
        }
        decoded.withLock { $0 = results }
        return try reading.finish()
    }
}

extension SourceReading {
    fileprivate var rejectedCount: Int { rejected.values.reduce(0, +) }
}
