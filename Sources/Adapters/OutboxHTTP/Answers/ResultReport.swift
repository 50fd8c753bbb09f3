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
