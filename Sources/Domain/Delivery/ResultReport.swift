/// The readable part of an answer: results by id, and the counts of the whole request.
package struct ResultReport: Sendable, Hashable {
    /// `nil` where the answer had no list.
    package var results: [RecordResult]?
    /// Records by outcome, as the server counted them; absent outcomes are 0.
    package var counts: [RecordResult.Status: Int]
    /// Records the server met in the request; `nil` where it did not say.
    package var received: Int?

    package init(results: [RecordResult]?, counts: [RecordResult.Status: Int] = [:], received: Int? = nil) {
        self.results = results
        self.counts = counts
        self.received = received
    }

    /// The verdict for each item of `members`, the ids of the records of each item.
    ///
    /// A record that is not mentioned was stored only when the counts leave no other reading: everything received, the
    /// outcomes sum to it, and as many created ones are unmentioned as records are.
    package func verdicts(for members: [[String]]) -> [ItemVerdict] {
        var mentioned: [String: RecordResult] = [:]
        for result in results ?? [] {
            let id = result.id.lowercased()
            if let known = mentioned[id], Self.weight(known) >= Self.weight(result) { continue }
            mentioned[id] = result
        }
        let unmentionedIsStored = countsAddUp(members: members, mentioned: mentioned)
        return members.map { ids in
            Self.verdict(ofRecords: ids.map { mentioned[$0.lowercased()] }, unmentionedIsStored: unmentionedIsStored)
        }
    }

    /// Whether the list says anything about any of `members`.
    package func mentions(anyOf members: [[String]]) -> Bool {
        let ids = Set((results ?? []).map { $0.id.lowercased() })
        return members.contains { $0.contains { ids.contains($0.lowercased()) } }
    }

    private func countsAddUp(members: [[String]], mentioned: [String: RecordResult]) -> Bool {
        let ids = members.joined().map { $0.lowercased() }
        let ours = ids.compactMap { mentioned[$0] }
        guard received == ids.count, counts.values.reduce(0, +) == ids.count else { return false }
        var open = counts
        for status in ours.compactMap(\.status) { open[status, default: 0] -= 1 }
        let unmentioned = ids.count - ours.count
        // What is left over must all be stored, in whichever way.
        let stored = [RecordResult.Status.created, .updated, .duplicate].map { open[$0] ?? 0 }
        return stored.allSatisfy { $0 >= 0 } && stored.reduce(0, +) == unmentioned && open[.rejected] ?? 0 == 0
            && open[.retry] ?? 0 == 0
    }

    /// One item of several records: any record to be sent again sends the item again, because a refusal is said again
    /// then, while a dead item would take the others with it.
    private static func verdict(ofRecords records: [RecordResult?], unmentionedIsStored: Bool) -> ItemVerdict {
        var refused: [RecordResult] = []
        for record in records {
            switch record?.status {
            case .created, .updated, .duplicate: continue
            case .rejected: if let record { refused.append(record) }
            case .retry: return .retry
            case nil:
                if record != nil || !unmentionedIsStored { return .retry }
            }
        }
        guard let first = refused.first else { return .delivered }
        let reason = first.reason.map(Self.shortened) ?? "refused by the server without a reason"
        return .rejected(
            reason: records.count == 1 ? reason : "\(refused.count) of \(records.count) records refused: \(reason)")
    }

    private static func weight(_ result: RecordResult) -> Int {
        switch result.status {
        case .created, .updated, .duplicate: 0
        case .rejected: 1
        case .retry, nil: 2
        }
    }

    /// A server's words go into the database and onto a terminal: one line, no control characters, bounded.
    static func shortened(_ text: String) -> String {
        String(text.unicodeScalars.prefix(200).map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    }
}
