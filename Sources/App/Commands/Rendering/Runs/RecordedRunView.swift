import HealthSyncDomain

/// A recorded run, or the run in progress.
struct RecordedRunView {
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
            run.milliseconds.map { RunDuration.text(milliseconds: $0) } ?? "", figures,
        ]
    }

    /// The failures, one per line.
    var failureLines: [String] { (run.end?.allFailures ?? []).map { UntrustedText.escaped($0.description) } }

    var json: JSONValue {
        let account = run.end?.account
        return [
            "command": .string(run.command.rawValue), "outcome": .string(run.end?.ending.rawValue ?? "atWork"),
            "start": .string(RFC3339.string(run.startedAt)),
            "end": .optional(run.end?.at.map { RFC3339.string($0) }),
            "days": run.days.map { ["first": .string("\($0.first)"), "last": .string("\($0.last)")] } ?? .null,
            "read": account.map { Self.json($0.reading) } ?? .null,
            "metrics": .array(
                (account?.metrics ?? [:]).sorted { $0.key < $1.key }.map {
                    OutcomeView(metric: $0.key, outcome: $0.value, skipped: nil).json
                }),
            "snapshots": account.map { .count($0.snapshots) } ?? .null,
            "delivery": account?.delivery.map { Self.json($0) } ?? .null,
            "repair": account?.repair.map { Self.json($0) } ?? .null,
            "failures": .array(
                (run.end?.allFailures ?? []).map { FailureJSON.value($0, status: ExitStatus(of: $0)) }),
            "progress": run.end == nil ? .array(progress?.phases.map { Self.json($0) } ?? []) : .null,
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
        add(account.reading.records, "read")
        add(account.reading.stored, "stored")
        add(account.reading.deleted, "deleted")
        add(account.changedRecords, "changed")
        add(account.repair?.sent ?? 0, "repaired")
        add(account.repair?.deleted ?? 0, "deleted on the server")
        add(account.delivery?.delivered ?? 0, "delivered")
        add(account.delivery?.rejected ?? 0, "rejected")
        add(account.delivery?.left ?? 0, "waiting")
        return parts.isEmpty && run.end?.ending == .completed ? "nothing new" : parts.joined(separator: ", ")
    }

    private static func json(_ reading: RunTotals.Reading) -> JSONValue {
        [
            "sources": .count(reading.sources), "unchangedSources": .count(reading.unchangedSources),
            "records": .count(reading.records), "stored": .count(reading.stored),
            "alreadyKnown": .count(reading.alreadyKnown), "rejected": .count(reading.rejected),
            "refused": .count(reading.rejected),
            "notSelected": .count(reading.notSelected), "deleted": .count(reading.deleted),
        ]
    }

    private static func json(_ delivery: RunTotals.Delivery) -> JSONValue {
        [
            "delivered": .count(delivery.delivered), "rejected": .count(delivery.rejected),
            "refused": .count(delivery.rejected),
            "left": .count(delivery.left), "samples": .count(delivery.samples),
        ]
    }

    private static func json(_ repair: RunTotals.Repair) -> JSONValue {
        [
            "differing": .count(repair.differing), "sent": .count(repair.sent), "deleted": .count(repair.deleted),
            "left": .count(repair.left),
        ]
    }

    private static func json(_ phase: RunProgress.Phase) -> JSONValue {
        [
            "phase": .string(phase.text), "done": .integer(phase.done),
            "total": phase.total.map(JSONValue.integer) ?? .null,
        ]
    }
}
