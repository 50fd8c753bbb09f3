package import HealthSyncDomain

/// The results in a response: by id, and counted for the whole request.
package struct ResultReport: Sendable, Hashable {
    /// `nil` if the response has no list.
    package var results: [RecordResult]?
    /// The number of records by outcome, as counted by the server; absent outcomes are 0.
    package var counts: [RecordResult.Status: Int]
    /// The number of records that the server found in the request; `nil` if it is absent.
    package var received: Int?

    package init(results: [RecordResult]?, counts: [RecordResult.Status: Int] = [:], received: Int? = nil) {
        self.results = results
        self.counts = counts
        self.received = received
    }

    /// Returns the verdict for each item of `members`, the ids of the records of each item.
    ///
    /// A record without a result counts as stored only if the counts allow no other reading: all records were
    /// received, the outcomes add up to their number, exactly the stored ones have no result, and every result is about one
    /// of the records. Otherwise the response may be that to another request.
    package func verdicts(for members: [[String]]) -> [ItemVerdict] {
        var mentioned: [ExactText: RecordResult] = [:]
        for result in results ?? [] {
            let id = Self.key(result.id)
            if let known = mentioned[id], Self.weight(known) >= Self.weight(result) { continue }
            mentioned[id] = result
        }
        let unmentionedIsStored = countsAddUp(members: members, mentioned: mentioned)
        return members.map { ids in
            Self.verdict(ofRecords: ids.map { mentioned[Self.key($0)] }, unmentionedIsStored: unmentionedIsStored)
        }
    }

    /// Returns the key under which an id is found: a server may write the letters of a UUID in the other case.
    private static func key(_ id: String) -> ExactText { ExactText(id.asciiLowercased) }

    /// Returns whether the list contains a result for any of `members`.
    package func mentions(anyOf members: [[String]]) -> Bool {
        let ids = Set((results ?? []).map { Self.key($0.id) })
        return members.contains { $0.contains { ids.contains(Self.key($0)) } }
    }

    private func countsAddUp(members: [[String]], mentioned: [ExactText: RecordResult]) -> Bool {
        let ids = members.joined().map(Self.key)
        let ours = ids.compactMap { mentioned[$0] }
        guard ours.count >= mentioned.count else { return false }
        guard received == ids.count, counts.values.reduce(0, +) == ids.count else { return false }
        var open = counts
        for status in ours.compactMap(\.status) { open[status, default: 0] -= 1 }
        let unmentioned = ids.count - ours.count
        // All records without a result must be stored.
        let stored = [RecordResult.Status.created, .updated, .duplicate].map { open[$0] ?? 0 }
        return stored.allSatisfy { $0 >= 0 } && stored.reduce(0, +) == unmentioned && open[.rejected] ?? 0 == 0
            && open[.retry] ?? 0 == 0
    }

    /// Returns the verdict for one item of several records. If any record must be sent again, so must the item: a
    /// rejection is then reported again, whereas a dead letter would include the records that were not stored.
    private static func verdict(ofRecords records: [RecordResult?], unmentionedIsStored: Bool) -> ItemVerdict {
        var rejected: [RecordResult] = []
        for record in records {
            switch record?.status {
            case .created, .updated, .duplicate: continue
            case .rejected: if let record { rejected.append(record) }
            case .retry: return .retry
            case nil:
                if record != nil || !unmentionedIsStored { return .retry }
            }
        }
        guard let first = rejected.first else { return .delivered }
        let reason = first.reason.map { ServerText.line($0) } ?? "rejected by the server without a reason"
        return .rejected(reason: PartialRejection.reason(rejected.count, of: records.count, reason))
    }

    private static func weight(_ result: RecordResult) -> Int {
        switch result.status {
        case .created, .updated, .duplicate: 0
        case .rejected: 1
        case .retry, nil: 2
        }
    }
}

extension ResultReport {
    /// Returns the verdict for each item of `samples`, the ids of the samples of each item.
    ///
    /// A sample without a result counts as created only if the counts allow no other reading: all samples were
    /// received, the outcomes add up to their number, exactly the created ones have no result, and every result is about one
    /// of the samples. Otherwise it is sent again.
    package func verdicts(forSamples samples: [[SampleID]]) -> [ItemVerdict] {
        var mentioned: [SampleID: RecordResult] = [:]
        var areOurs = true
        for result in results ?? [] {
            guard let id = SampleID(result.id) else {
                areOurs = false
                continue
            }
            if let known = mentioned[id], known.status == nil || known.status == .retry { continue }
            mentioned[id] = result
        }
        let sent = samples.reduce(0) { $0 + $1.count }
        let unmentioned =
            mentioned.isEmpty ? sent : samples.reduce(0) { $0 + $1.count { mentioned[$0] == nil } }
        let mentionedAsCreated = mentioned.values.count { $0.status == .created }
        areOurs = areOurs && sent - unmentioned >= mentioned.count
        let isCreated =
            areOurs && received == sent && counts.values.reduce(0, +) == sent
            && (counts[.created] ?? 0) - mentionedAsCreated == unmentioned
        return samples.map { .samples(Self.verdicts(for: $0, mentioned, unmentionedIsCreated: isCreated)) }
    }

    private static func verdicts(
        for ids: [SampleID], _ mentioned: [SampleID: RecordResult], unmentionedIsCreated: Bool
    ) -> SampleVerdicts {
        var verdicts = SampleVerdicts()
        if mentioned.isEmpty, unmentionedIsCreated {
            verdicts.counts.created = ids.count
            return verdicts
        }
        var again: [SampleID] = []
        for id in ids {
            guard let result = mentioned[id] else {
                if unmentionedIsCreated { verdicts.counts.created += 1 } else { again.append(id) }
                continue
            }
            switch result.status {
            case .created: verdicts.counts.created += 1
            case .updated: verdicts.counts.updated += 1
            case .duplicate: verdicts.counts.duplicate += 1
            case .rejected:
                verdicts.counts.rejected += 1
                let reason = result.reason.map { ServerText.line($0) } ?? "rejected by the server without a reason"
                verdicts.rejected.append(.init(id: id, reason: reason))
            case .retry, nil: again.append(id)
            }
        }
        if !again.isEmpty { verdicts.waiting = [again] }
        return verdicts
    }
}

/// A server's result for one record of a request.
package struct RecordResult: Sendable, Hashable {
    /// The values of the member `status`.
    package enum Status: String, Sendable, Hashable {
        case created, updated, duplicate, rejected, retry
    }

    /// The record's id as the server wrote it.
    package var id: String
    /// `nil` for an unknown value.
    package var status: Status?
    package var reason: String?

    package init(id: String, status: Status?, reason: String? = nil) {
        self.id = id
        self.status = status
        self.reason = reason
    }
}
