import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync status`
enum StatusCommand: Command {
    static let declaration = CommandDeclaration(
        "status", "Show stored data, pending items and the last runs",
        discussion: ["Changes and sends nothing; can be used during another run."])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings(showsState: true)
        if try await context.environment.status(of: settings.databasePath) == nil,
            let inbox = try await InboxState.read(settings, in: context.environment)
        {
            let view = StatusBeforeImportView(databasePath: settings.databasePath, inbox: inbox)
            context.show(charts: view.lines(context.style), json: view.json)
            return .done
        }
        let report = try await context.withEngine(.reading, settings: settings) { try await $0.status.run() }
        let view = StatusView(
            report: report, databasePath: settings.databasePath, clock: settings.clock,
            inbox: try await InboxState.read(settings, in: context.environment))
        context.show(charts: view.lines(context.style), json: view.json)
        return .done
    }
}

/// The state of the inbox before the first import, when no database exists.
private struct StatusBeforeImportView {
    let databasePath: String
    let inbox: InboxState

    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable([.left, .left])
        table.add("database", "\(databasePath) (the first import creates it)")
        table.add("inbox", inbox.text)
        for warning in inbox.warnings { table.add(["", "\(warning.finding): \(warning.advice)"], colors: [1: .warn]) }
        return table.lines(fitting: style)
    }

    var json: JSONValue {
        [
            "database": databasePath, "recorded": JSONValue.null, "recordedDays": JSONValue.null, "inbox": inbox,
            "runs": JSONValue.null,
        ]
    }
}

/// The state of the database and of delivery.
private struct StatusView: JSONEncodable {
    let report: StatusReport
    let databasePath: String
    let clock: DayClock
    /// `nil` if no post was ever received.
    var inbox: InboxState?

    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable([.left, .left])
        table.add("database", databasePath)
        table.add("recorded", report.recordedDays.map { "\($0.first) to \($0.last)" } ?? "nothing yet")
        if let freshness = report.freshness {
            table.add(["freshness", freshness.text], colors: freshness.isOld ? [1: .warn] : [:])
        }
        if let text = OutOfDateView(days: report.outOfDate).text {
            table.add(["out of date", text], colors: [1: .warn])
        }
        if let change = report.historyChange { table.add("history", HistoryChangeView(change: change).text) }
        if report.hasFurtherMetrics { table.add(["new", FurtherMetricsText.notice], colors: [1: .warn]) }
        table.add("metrics", Self.list(report.metrics.map(\.rawValue)))
        table.add("samples of", Self.list(report.sampleTypes.map(\.shortName)))
        if let inbox {
            table.add("inbox", inbox.text)
            for warning in inbox.warnings {
                table.add(["", "\(warning.finding): \(warning.advice)"], colors: [1: .warn])
            }
        }
        if let text = report.unsent.summary { table.add("not sent", text) }
        table.add("server", server)
        for (address, waiting) in report.otherServers.sorted(by: { $0.key < $1.key }) {
            table.add(
                "",
                "\(address) (another server): \(Figures.grouped(waiting)) waiting; `healthsync outbox forget \(address)` deletes them, "
                    + "`healthsync push --server \(address)` sends them")
        }
        if report.server != nil || !report.outbox.isEmpty {
            table.add(["outbox", outbox], colors: report.outbox[.dead, default: 0] > 0 ? [1: .warn] : [:])
        }
        if let verdict = report.verdict(number: Figures.grouped, moment: moment), verdict.at == nil {
            table.add("delivery", [verdict.statement, verdict.reason].compactMap { $0 }.joined(separator: ": "))
        }
        if let omitted = report.omitted { table.add("earlier days", FurtherMetricsText.of(omitted)) }
        if let sending { table.add(["sending", sending], colors: report.heldSince == nil ? [1: .warn] : [:]) }
        if let verification { table.add("verified", verification.line) }
        return table.lines(fitting: style) + RunHistoryView(history: report.runs, clock: clock).lines(style)
    }

    var json: JSONValue {
        let state = report.destinationState
        return [
            "database": databasePath,
            "recorded": report.recordedDays, "recordedDays": report.recordedDays,
            "freshness": report.freshness,
            "outOfDate": OutOfDateView(days: report.outOfDate),
            "historyChange": report.historyChange.map { HistoryChangeView(change: $0) },
            "metrics": report.metrics.map(\.rawValue),
            "sampleTypes": report.sampleTypes.map(\.rawValue),
            "inbox": inbox,
            "unsentSamples": report.unsent,
            "omitted": report.omitted,
            "notice": report.hasFurtherMetrics ? FurtherMetricsText.notice : nil,
            "server": report.server?.destination,
            "serverConfigured": report.server?.isConfigured ?? false,
            "otherServers": report.otherServers.sorted { $0.key < $1.key }.map {
                ["server": $0.key, "waiting": $0.value] as JSONValue
            }.json,
            "outbox": outboxCounts,
            "waiting": report.waiting,
            "held": report.heldSince != nil,
            "heldSince": report.heldSince,
            "paused": report.heldSince != nil ? Self.paused : state?.pausedReason,
            "disabled": state?.isDisabled ?? false,
            "verification": verification,
            "notBefore": state?.notBefore,
            "runs": RunHistoryView(history: report.runs, clock: clock),
        ]
    }

    private var verification: VerificationStateView? {
        report.verification.map { VerificationStateView(state: $0, clock: clock) }
    }

    /// The items of the outbox by state, also under the names that were printed before 0.2.0.
    private var outboxCounts: JSONValue {
        let states = DeliveryState.allCases
        return .joined(
            JSONValue.object(of: states.map { (key: OutboxItemView.member(for: $0), value: report.outbox[$0] ?? 0) }),
            JSONValue.object(
                of: states.filter { $0 != .delivered }.map { (key: $0.rawValue, value: report.outbox[$0] ?? 0) }))
    }

    private var outbox: String {
        let words: [(DeliveryState, String)] = [
            (.pending, "waiting"), (.leased, "in flight"), (.delivered, "delivered"), (.dead, "rejected"),
        ]
        let counts = words.map { "\(Figures.grouped(report.outbox[$0.0] ?? 0)) \($0.1)" }
        guard report.waiting.intervals > 0 else { return counts.joined(separator: ", ") }
        // Delivered items count no intervals of samples.
        let unsent = "(\(report.waiting.text(number: Figures.grouped)))"
        return (["\(counts[0]), \(counts[1]) \(unsent)"] + counts[2...]).joined(separator: ", ")
    }

    private var server: String {
        guard let server = report.server else {
            let isKnown = report.outbox.values.contains { $0 > 0 }
            return isKnown
                ? "none configured; name one of several with --server" : "none; all data stays local"
        }
        return server.isConfigured
            ? server.destination : "\(server.destination) (not configured; the only known server)"
    }

    private static let paused = "paused by `healthsync pause`; run `healthsync resume` to continue"

    private var sending: String? {
        if let since = report.heldSince {
            return DeliveryVerdict.pause(since: moment(since)) + "; run `healthsync resume` to continue"
        }
        guard let state = report.destinationState else { return nil }
        if state.isDisabled { return "disabled: the server reports that it is permanently gone" }
        if let reason = state.pausedReason { return "paused: \(reason)" }
        return state.notBefore.map { "not before \(Figures.wallClock($0, clock)), as the server requested" }
    }

    private func moment(_ instant: Instant) -> String { Figures.wallClock(instant, clock) }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none yet" : names.joined(separator: ", ") }
}

extension DataFreshness: JSONEncodable {
    package var json: JSONValue { ["lastDay": last, "ageDays": ageDays, "isOld": isOld, "text": text] }
}

extension WaitingCount: JSONEncodable {
    package var json: JSONValue { ["records": records, "intervals": intervals] }
}

extension UnsentSamples: JSONEncodable {
    private var byDay: JSONValue {
        days.sorted { $0.key < $1.key }.map { ["day": $0.key, "samples": $0.value] as JSONValue }.json
    }

    package var json: JSONValue {
        [
            "samples": count, "byDay": byDay, "days": byDay,
        ]
    }
}

/// The last runs, latest first.
private struct RunHistoryView: JSONEncodable {
    let history: RunHistory
    let clock: DayClock

    func lines(_ style: OutputStyle) -> [String] {
        guard !history.runs.isEmpty else { return [] }
        let views = history.runs.map { RecordedRunView(run: $0, progress: history.progress, clock: clock) }
        var table = TextTable([.left, .left, .left, .left, .right, .left])
        for view in views { table.add(view.cells, colors: view.run.end.map { [3: $0.ending.color] } ?? [:]) }
        return ["last runs"]
            + zip(table.blocks(fitting: style, indentation: 2), views).flatMap { lines, view in
                lines + view.failureLines.flatMap { style.wrapped("    " + $0, .warn) }
            }
    }

    var json: JSONValue {
        history.runs.map { RecordedRunView(run: $0, progress: history.progress, clock: clock) }.json
    }
}

extension RunEnding {
    /// The color of the ending on a terminal.
    fileprivate var color: Palette {
        switch self {
        case .completed: .good
        case .held: .quiet
        case .completedWithFailures, .cancelled: .warn
        case .failed, .cutOff: .range
        }
    }
}

/// A recorded run, or the run in progress.
private struct RecordedRunView: JSONEncodable {
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

/// The result of the last verification of a server.
private struct VerificationStateView: JSONEncodable {
    let state: VerificationState
    let clock: DayClock

    /// Such as "all 320 records and 42,000 samples verified 2026-11-22 06:26".
    var line: String {
        let words = state.words(number: Figures.grouped)
        guard let last = state.last else { return words.before }
        return "\(words.before) \(Figures.wallClock(last.at, clock))\(words.after)"
    }

    var json: JSONValue {
        guard let last = state.last else { return ["verdict": "never"] }
        return [
            "verdict": last.verdict.rawValue, "at": Figures.local(last.at, clock),
            "records": last.records, "samples": last.samples, "differing": last.differing,
            "reason": last.reason.isEmpty ? nil : last.reason,
            "changedSince": state.hasChangedSince,
        ]
    }
}
