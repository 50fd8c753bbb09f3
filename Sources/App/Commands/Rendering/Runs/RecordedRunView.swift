import HealthSyncDomain

/// A recorded run, or the run in progress.
struct RecordedRunView: JSONEncodable {
    let run: RecordedRun
    /// The progress of the run; shown only while it is in progress.
    let progress: RunProgress?
    let clock: DayClock

    /// Start, command, days, ending, duration and counts.
    var cells: [String] {
        [
            Figures.wallClock(run.startedAt, clock), run.command.rawValue,
            run.days.map { $0.count == 1 ? "\($0.first)" : "\($0.first) to \($0.last)" } ?? "",
            run.end?.ending.text ?? "in progress",
            run.milliseconds.map { DurationText.exact(milliseconds: $0) } ?? "", figures,
        ]
    }

    /// The failures, one per line.
    var failureLines: [String] { (run.end?.allFailures ?? []).map { UntrustedText.escaped($0.description) } }

    var json: JSONValue {
        let account = run.end?.account
        return [
            "command": run.command.rawValue, "outcome": run.end?.ending.rawValue ?? "atWork",
            "start": run.startedAt,
            "end": run.end?.at,
            "days": run.days,
            "read": account.map { Self.json($0.reading) },
            "metrics": (account?.metrics ?? [:]).sorted { $0.key < $1.key }.map {
                OutcomeView(metric: $0.key, outcome: $0.value, skipped: nil)
            },
            "snapshots": account.map { $0.snapshots },
            "delivery": account?.delivery.map { Self.json($0) },
            "repair": account?.repair.map { Self.json($0) },
            "failures": (run.end?.allFailures ?? []).map { FailureJSON.value($0, status: ExitStatus(of: $0)) },
            "progress": run.end == nil ? (progress?.phases ?? []).map(Self.json) : nil,
        ]
    }

    private var figures: String {
        guard let account = run.end?.account else {
            return (progress?.phases ?? []).map { phase in
                phase.text + (phase.share.map { " \(Int($0 * 100)) %" } ?? "")
            }.joined(separator: ", ")
        }
        var parts: [String] = []
        func add(_ count: Int, _ what: String) { if count > 0 { parts.append("\(Figures.grouped(count)) \(what)") } }
        add(account.reading.records, "samples read")
        add(account.reading.stored, "stored")
        add(account.reading.deleted, "deleted")
        add(account.changedRecords, "records changed")
        add(account.repair?.sent ?? 0, "repaired")
        add(account.repair?.deleted ?? 0, "deleted on the server")
        add(account.delivery?.delivered ?? 0, "delivered")
        add(account.delivery?.samples ?? 0, "samples sent")
        add(account.delivery?.rejected ?? 0, "rejected")
        add(account.delivery?.left ?? 0, "waiting")
        return parts.isEmpty && run.end?.ending == .completed ? "nothing new" : parts.joined(separator: ", ")
    }

    private static func json(_ reading: RunTotals.Reading) -> JSONValue {
        [
            "sources": reading.sources, "unchangedSources": reading.unchangedSources,
            "samples": reading.records, "records": reading.records, "stored": reading.stored,
            "alreadyKnown": reading.alreadyKnown, "rejected": reading.rejected,
            "refused": reading.rejected,
            "notSelected": reading.notSelected, "deleted": reading.deleted,
        ]
    }

    private static func json(_ delivery: RunTotals.Delivery) -> JSONValue {
        [
            "delivered": delivery.delivered, "rejected": delivery.rejected,
            "refused": delivery.rejected,
            "left": delivery.left, "samples": delivery.samples,
        ]
    }

    private static func json(_ repair: RunTotals.Repair) -> JSONValue {
        [
            "differing": repair.differing, "sent": repair.sent, "deleted": repair.deleted,
            "left": repair.left,
        ]
    }

    private static func json(_ phase: RunProgress.Phase) -> JSONValue {
        [
            "phase": phase.text, "done": phase.done,
            "total": phase.total,
        ]
    }
}
