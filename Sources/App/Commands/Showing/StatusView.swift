import HealthSyncDomain
import HealthSyncEngine

/// The state of the database and of delivery.
struct StatusView: JSONEncodable {
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
                "\(address) (not configured): \(Figures.grouped(waiting)) waiting; `healthsync push --server \(address)` sends them, "
                    + "`healthsync outbox forget \(address)` deletes them")
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
        return words.map { "\(Figures.grouped(report.outbox[$0.0] ?? 0)) \($0.1)" }.joined(separator: ", ")
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
