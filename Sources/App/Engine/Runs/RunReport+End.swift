public import HealthSyncDomain
import HealthSyncPorts

extension RunReport {
    /// Returns the end of a run with this report, as stored. `error` is the error that ended the run early.
    func end(at instant: Instant, after error: (any Error)?) -> RunEnd {
        var end = RunEnd(at: instant, ending: .completed, account: account, failures: failures)
        switch error {
        case let failure as SyncFailure where failure.code != .cancelled:
            end.ending = .failed
            end.failures.append(failure)
        case nil:
            if isCancelled {
                end.ending = .cancelled
            } else if !end.allFailures.isEmpty {
                end.ending = .completedWithFailures
            } else if delivery?.ending == .held {
                end.ending = .held
            }
        case let error? where !(error is CancellationError) && !(error is SyncFailure):
            end.ending = .failed
            end.failures.append(
                SyncFailure(
                    .unexpected, subject: "the run", reason: "it ended with the error \(FailureText.of(error))",
                    advice: "please report this bug"))
        default: end.ending = .cancelled
        }
        end.failures = end.failures.prefix(Self.failureLimit).map(\.shortened)
        end.account.metrics = end.account.metrics.mapValues(\.shortened)
        return end
    }

    private static let failureLimit = 50

    private var isCancelled: Bool {
        delivery?.ending == .cancelled || sync.failures.contains { $0.failure.code == .cancelled }
    }

    /// Failures other than those of metrics.
    private var failures: [SyncFailure] {
        var failures = ingests.filter { !$0.reading.isComplete }.map { ingest in
            SyncFailure(
                .incompleteInput, subject: ingest.locations.joined(separator: ", "),
                reason: "truncated at byte \(ingest.reading.incompleteAtByte ?? 0)",
                advice: "export it again; everything before that position was imported")
        }
        failures += problems
        // A pause that the user chose is not a failure; what it holds is counted.
        if let failure = delivery?.failure, delivery?.ending != .held { failures.append(failure) }
        if let repair, delivery?.failure == nil, !repair.left.isEqual {
            failures.append(
                SyncFailure(
                    .deliveryIncomplete, subject: repair.left.destination,
                    reason: "\(repair.left.differing) records or samples still differ",
                    advice: "see `healthsync verify`"))
        }
        return failures
    }

    /// The totals of the import, the metrics and the delivery.
    public var account: RunTotals {
        var account = RunTotals()
        for ingest in ingests {
            account.reading.sources += 1
            if ingest.isUnchanged { account.reading.unchangedSources += 1 }
            account.reading.records += ingest.reading.recordsRead
            account.reading.stored += ingest.stored
            account.reading.alreadyKnown += ingest.alreadyKnown
            account.reading.rejected += ingest.reading.rejected.values.reduce(0, +)
            account.reading.notSelected += ingest.reading.notSelected
            account.reading.deleted += ingest.deleted
        }
        account.metrics = sync.outcomes
        account.snapshots = sync.snapshots
        account.delivery = delivery.map { report in
            var delivery = RunTotals.Delivery()
            delivery.delivered = report.delivered - report.slices
            delivery.rejected = report.dead
            delivery.left = report.left
            delivery.samples = report.samples.answered
            return delivery
        }
        account.repair = repair.map { report in
            var repair = RunTotals.Repair()
            repair.differing = report.found.differing
            repair.sent = report.counts.sent + report.counts.recordsSent
            repair.deleted = report.counts.deleted + report.counts.recordsDeleted
            repair.left = report.left.differing
            return repair
        }
        return account
    }
}

extension SyncFailure {
    /// The failure with long texts truncated, because the text of a server has no limit.
    fileprivate var shortened: SyncFailure {
        func short(_ text: String) -> String { text.unicodeScalars.count > 500 ? String(text.prefix(499)) + "…" : text }
        return SyncFailure(code, subject: short(subject), reason: short(reason), advice: short(advice))
    }
}

extension SyncOutcome {
    fileprivate var shortened: SyncOutcome {
        if case .failed(let failure) = self { .failed(failure.shortened) } else { self }
    }
}
