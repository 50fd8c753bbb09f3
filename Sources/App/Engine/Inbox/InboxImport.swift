import HealthSyncDomain
package import HealthSyncPorts

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
package enum InboxLimits {
    /// How many bytes of a body a decoder sees when it recognizes a post.
    package static let recognizedBytes = 64 << 10
}

extension SyncFailure {
    /// Whether the content of the input is the cause, so that another attempt would fail as well.
    fileprivate var isAboutContent: Bool {
        [.badInput, .incompleteInput, .tooManyDeletions, .unexpected].contains(code)
    }
}
