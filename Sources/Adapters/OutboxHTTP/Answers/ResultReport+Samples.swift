package import HealthSyncDomain

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
