public import HealthSyncDomain
import HealthSyncPorts

/// The report of a run. It is filled in while the run is active.
public struct RunReport: Sendable {
    /// One for each source or group of files that form one snapshot.
    package var imports: [ImportReport] = []
    /// A notice for the user if a source contradicts the time zone of the days, or if records of an import state stays that the
    /// configuration does not contain.
    public package(set) var zoneNotice: String?
    /// A notice that is shown once after an upgrade: that the default has further metrics, and how their earlier days are
    /// added.
    public package(set) var notice: String?
    /// What the rules of this version changed in figures of the past; `nil` unless this run derived them.
    package var historyChange: HistoryChange?
    /// The records that the server is not offered, if this run added any of them.
    package var omitted: OmittedRecords?
    /// Problems that did not stop the run.
    public package(set) var problems: [SyncFailure] = []
    /// The days covered; `nil` if none exist.
    public package(set) var days: DayRange?
    /// One outcome for each metric.
    public package(set) var sync = SyncReport()
    /// Days that are still out of date, because the run was limited or a metric failed.
    public package(set) var outOfDate = OutOfDateDays()
    /// The changes by automatic sessions; `nil` for a historical run, which does not change sessions.
    package var shoes: ShoeCheckReport?
    /// One for each raw type; empty without a server.
    package var layering: [LayeringOutcome] = []
    /// The result of the delivery; `nil` if no server is configured or nothing was to be sent.
    package var delivery: DeliveryReport?
    /// The result of a repair; `nil` unless the run is a repair.
    package var repair: RepairReport?
    /// Whether the run had no source and nothing was stored.
    package var isWithoutInput = false

    package init() {}

    /// Whether a source was truncated.
    public var isInputIncomplete: Bool { imports.contains { !$0.reading.isComplete } }

    /// Whether the run read an export, which adds metrics that an upgrade brought.
    package var hasReadExport: Bool { imports.contains { !$0.isUnchanged && $0.reading.exportDate != nil } }
}

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
        var failures = imports.filter { !$0.reading.isComplete }.map { one in
            SyncFailure(
                .incompleteInput, subject: one.locations.joined(separator: ", "),
                reason: "data are missing at byte \(one.reading.incompleteAtByte ?? 0)",
                advice: "export it again; what could be read was imported")
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
        for one in imports {
            account.reading.sources += 1
            if one.isUnchanged { account.reading.unchangedSources += 1 }
            account.reading.records += one.reading.recordsRead
            account.reading.stored += one.stored
            account.reading.alreadyKnown += one.alreadyKnown
            account.reading.rejected += one.reading.rejected.values.reduce(0, +)
            account.reading.notSelected += one.reading.notSelected
            account.reading.deleted += one.deleted
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

/// Records runs in the history.
struct RunRecorder: Sendable {
    let ports: EnginePorts

    /// Executes `body`, which updates the report of the run, and records the run however it ends. Failures of
    /// recording are logged and otherwise ignored.
    func run(
        _ command: RunCommand, days: DayRange?, _ body: (inout RunReport) async throws -> Void
    ) async throws -> RunReport {
        var report = RunReport()
        let id = await loggingFailure {
            try await ports.runs.begin(command, at: ports.time.now(), days: days, keeping: EngineSettings.runsKept)
        }
        do {
            try await body(&report)
        } catch {
            await end(id, &report, after: error)
            throw error
        }
        await end(id, &report, after: nil)
        return report
    }

    private func end(_ id: Int64?, _ report: inout RunReport, after error: (any Error)?) async {
        // The end is recorded even if the records cannot be read.
        let derived = report.days
        if let days = await loggingFailure({ try await recordedDays(derived) }) { report.days = days }
        guard let id else { return }
        let (end, days) = (report.end(at: ports.time.now(), after: error), report.days)
        _ = await loggingFailure { try await ports.runs.end(id, end, days: days) }
    }

    /// Leaves out the days before the first and after the last record: a run derives them too, because they are in
    /// reach of a sample. Returns `days` if none has a record.
    private func recordedDays(_ days: DayRange?) async throws -> DayRange? {
        guard let days, let recorded = try await ports.repository.recordedDays() else { return days }
        return days.intersection(recorded) ?? days
    }

    private func loggingFailure<Value>(_ body: () async throws -> Value) async -> Value? {
        do {
            return try await body()
        } catch {
            ports.log.note("the run history could not be written: \(FailureText.of(error))", level: .warning)
            return nil
        }
    }
}
