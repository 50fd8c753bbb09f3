import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// Imports the posts that wait in the inbox.
///
/// A post waits until its samples are stored. If the process ends in between, the post is decoded again, which changes
/// nothing, because equal samples are stored once.
package struct InboxImport: Sendable {
    /// How much is imported at a time.
    package struct Limits: Sendable {
        package var posts = 500
        /// The size of the decompressed bodies, after which no further post is loaded.
        package var bytes = 8 << 20

        package init() {}
    }

    /// Imports sources and derives the days that changed.
    package typealias Sync = @Sendable ([any HealthDataSource]) async throws -> RunReport

    private let archive: any InboxArchive
    private let ledger: any DeliveryLedger
    private let decoders: [any InboxDecoder]
    private let context: SourceContext
    private let hasher: any ContentHasher
    private let time: any TimeSource
    private let limits: Limits

    /// An import of the posts in `archive`, which are decoded by the first of `decoders` that recognizes them.
    package init(
        archive: any InboxArchive, ledger: any DeliveryLedger, decoders: [any InboxDecoder], context: SourceContext,
        hasher: any ContentHasher, time: any TimeSource, limits: Limits = Limits()
    ) {
        self.archive = archive
        self.ledger = ledger
        self.decoders = decoders
        self.context = context
        self.hasher = hasher
        self.time = time
        self.limits = limits
    }

    /// Imports the first waiting posts, as many as the limits allow, by one call of `sync`.
    ///
    /// If `sync` fails because of the content of the posts, each is imported alone, and one that fails alone is
    /// settled as undecoded. After any other failure all of them wait.
    ///
    /// - Returns: what became of the posts; `nil` if none waits.
    /// - Throws: what `sync` and the archive throw.
    package func run(sync: Sync) async throws -> InboxReport? {
        let batch = try await batch(of: try await archive.waiting(limit: limits.posts))
        guard batch.count > 0 else { return nil }
        var report = InboxReport()
        for post in batch.undecodable {
            try await settle(post.id, post.outcome, in: &report)
        }
        guard !batch.recognized.isEmpty else { return report }
        do {
            report.add(try await imported(batch, by: sync))
        } catch let failure as SyncFailure where failure.isAboutContent {
            for id in batch.recognized { report.add(try await importedAlone(id, by: sync)) }
        }
        return report
    }

    private func batch(of ids: [String]) async throws -> InboxBatch {
        var batch = InboxBatch()
        for id in ids {
            try Task.checkCancellation()
            let post: InboxPost
            do {
                post = try await archive.post(id)
            } catch let failure as SyncFailure where failure.code == .noInput {
                // It was deleted meanwhile.
                continue
            } catch let failure as SyncFailure where failure.code == .badInput {
                batch.addUndecodable(id, InboxOutcome(sender: nil, reason: failure.reason, decodedAt: time.now()))
                continue
            }
            let start = post.body.prefix(InboxLimits.recognizedBytes)
            guard let decoder = decoders.first(where: { $0.recognizes(post.head, start: start) }) else {
                let outcome = InboxOutcome(sender: nil, reason: "unknown app", decodedAt: time.now())
                batch.addUndecodable(id, outcome)
                continue
            }
            batch.add(post, of: decoder)
            if batch.bytes >= limits.bytes { break }
        }
        return batch
    }

    private func imported(_ batch: InboxBatch, by sync: Sync) async throws -> InboxReport {
        let sources = batch.sources { posts, decoder in
            InboxSource(posts, of: decoder, in: context, archive: archive, hasher: hasher, time: time)
        }
        var report = InboxReport()
        report.runs = [try await sync(sources)]
        for source in sources {
            let outcomes = source.outcomes
            report.gaps += try await noteDeliveries(of: source.decoder.name, outcomes.flatMap(\.deliveries))
            for post in outcomes { try await settle(post.id, post.outcome, in: &report) }
        }
        return report
    }

    private func importedAlone(_ id: String, by sync: Sync) async throws -> InboxReport {
        let batch = try await batch(of: [id])
        guard !batch.recognized.isEmpty else { return InboxReport() }
        do {
            return try await imported(batch, by: sync)
        } catch let failure as SyncFailure where failure.isAboutContent {
            var report = InboxReport()
            let sender = batch.sources { posts, decoder in
                InboxSource(posts, of: decoder, in: context, archive: archive, hasher: hasher, time: time)
            }.first?.decoder.name
            try await settle(
                id, InboxOutcome(sender: sender, reason: failure.reason, decodedAt: time.now()), in: &report)
            return report
        }
    }

    private func settle(_ id: String, _ outcome: InboxOutcome, in report: inout InboxReport) async throws {
        try await archive.settle(id, as: outcome)
        if let reason = outcome.reason {
            report.undecoded.append(InboxReport.Undecoded(id: id, sender: outcome.sender, reason: reason))
        } else {
            report.decoded += 1
        }
    }

    /// Stores the numbers of deliveries. Returns a sentence for each gap that they reveal.
    private func noteDeliveries(of sender: String, _ numbers: [DeliveryNumber]) async throws -> [String] {
        guard !numbers.isEmpty else { return [] }
        let before = try await ledger.sequences()
        var sequences = before
        for number in numbers {
            let key = DeliverySequence.Key(sender: sender, series: number.series)
            if let index = sequences.firstIndex(where: { $0.key == key }) {
                sequences[index].receive(number.number)
            } else {
                sequences.append(DeliverySequence(key, first: number.number))
            }
        }
        if sequences != before { try await ledger.store(sequences) }
        return sequences.flatMap { sequence in
            sequence.newGaps(since: before.first { $0.key == sequence.key }).map { sequence.sentence(of: $0) }
        }
    }
}

/// Limits of the inbox that decoders rely on.
private enum InboxLimits {
    /// How many bytes of a body a decoder sees when it recognizes a post.
    package static let recognizedBytes = 64 << 10
}

extension SyncFailure {
    /// Whether the content of the input is the cause, so that another attempt would fail as well.
    fileprivate var isAboutContent: Bool {
        [.badInput, .incompleteInput, .tooManyDeletions, .unexpected].contains(code)
    }
}

/// The result of importing posts of the inbox.
package struct InboxReport: Sendable {
    /// A post that could not be decoded.
    package struct Undecoded: Sendable, Hashable {
        package var id: String
        /// The name of the app; `nil` if it was not recognized.
        package var sender: String?
        /// Why, without health values.
        package var reason: String
    }

    /// The number of posts whose samples were imported.
    package var decoded = 0
    package var undecoded: [Undecoded] = []
    /// A sentence for each gap that was noticed in numbered deliveries.
    package var gaps: [String] = []
    /// The runs that imported the posts; empty if no post could be decoded.
    package var runs: [RunReport] = []

    /// Samples that are new in the local store.
    package var samplesStored: Int { runs.reduce(0) { $0 + $1.account.reading.stored } }
    /// The number of days that were derived again.
    package var days: Int { runs.map(\.daysDerived).max() ?? 0 }
    /// The number of posts that no longer wait.
    package var posts: Int { decoded + undecoded.count }

    package init() {}

    /// Adds the result of a further import.
    package mutating func add(_ other: InboxReport) {
        decoded += other.decoded
        undecoded += other.undecoded
        gaps += other.gaps
        runs += other.runs
    }
}

extension RunReport {
    /// The largest number of days that a metric derived again.
    package var daysDerived: Int {
        sync.outcomes.values.reduce(0) { most, outcome in
            if case .synced(let days, _) = outcome { max(most, days) } else { most }
        }
    }
}

/// Waiting posts that are imported together, grouped by app.
private struct InboxBatch {
    /// A post that needs no decoding, because it cannot be decoded.
    struct Undecodable {
        var id: String
        var outcome: InboxOutcome
    }

    /// Consecutive posts of one app; of a change stream, of one device.
    private struct Group {
        var decoder: any InboxDecoder
        var posts: [InboxPost]
    }

    private(set) var undecodable: [Undecodable] = []
    /// The ids of the posts that a decoder recognized, in order.
    private(set) var recognized: [String] = []
    /// The size of the loaded bodies, in bytes.
    private(set) var bytes = 0
    private var groups: [Group] = []

    /// The number of posts.
    var count: Int { recognized.count + undecodable.count }

    mutating func add(_ post: InboxPost, of decoder: any InboxDecoder) {
        bytes += post.body.count
        recognized.append(post.id)
        if let last = groups.last, last.decoder.name == decoder.name, last.decoder.provider == decoder.provider,
            decoder.semantics != .changes || last.posts.last?.head.device == post.head.device,
            decoder.combinesPosts || last.posts.last.map({ decoder.continues($0, with: post) }) ?? false
        {
            groups[groups.count - 1].posts.append(post)
        } else {
            groups.append(Group(decoder: decoder, posts: [post]))
        }
    }

    mutating func addUndecodable(_ id: String, _ outcome: InboxOutcome) {
        undecodable.append(Undecodable(id: id, outcome: outcome))
    }

    func sources(_ make: (_ posts: [InboxPost], _ decoder: any InboxDecoder) -> InboxSource) -> [InboxSource] {
        groups.map { make($0.posts, $0.decoder) }
    }
}

/// Consecutive posts of one app as a source of one run.
private final class InboxSource: HealthDataSource {
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
