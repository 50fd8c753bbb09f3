import HealthSyncDomain
import HealthSyncEngine

/// The state of the database and of delivery.
struct StatusView {
    let report: StatusReport
    let databasePath: String
    let clock: DayClock
    /// `nil` if no post was ever received.
    var inbox: InboxState?

    var lines: [String] {
        var table = TextTable([.left, .left])
        table.add("database", databasePath)
        table.add("recorded", report.recordedDays.map { "\($0.first) to \($0.last)" } ?? "nothing yet")
        if let text = OutOfDateView(days: report.outOfDate).text { table.add("out of date", text) }
        table.add("metrics", Self.list(report.metrics.map(\.rawValue)))
        table.add("samples of", Self.list(report.sampleTypes.map(\.shortName)))
        if let inbox {
            table.add("inbox", inbox.text)
            for warning in inbox.warnings { table.add("", "\(warning.finding): \(warning.advice)") }
        }
        table.add("server", server)
        if report.server != nil || !report.outbox.isEmpty { table.add("outbox", outbox) }
        if let sending { table.add("sending", sending) }
        if let verification { table.add("verified", verification.line) }
        return table.lines() + RunHistoryView(history: report.runs, clock: clock).lines
    }

    var json: JSONValue {
        let state = report.destinationState
        return [
            "database": .string(databasePath),
            "recordedDays": report.recordedDays.map {
                ["first": .string("\($0.first)"), "last": .string("\($0.last)")]
            } ?? .null,
            "outOfDate": OutOfDateView(days: report.outOfDate).json,
            "metrics": .array(report.metrics.map { .string($0.rawValue) }),
            "sampleTypes": .array(report.sampleTypes.map { .string($0.rawValue) }),
            "inbox": inbox?.json ?? .null,
            "server": .optional(report.server?.destination),
            "serverConfigured": .bool(report.server?.isConfigured ?? false),
            "outbox": .object(
                DeliveryState.allCases.map {
                    JSONValue.Member(name: $0.rawValue, value: .count(report.outbox[$0] ?? 0))
                }),
            "held": .bool(report.isPaused),
            "paused": .optional(report.isPaused ? Self.paused : state?.pausedReason),
            "disabled": .bool(state?.isDisabled ?? false),
            "verification": verification?.json ?? .null,
            "notBefore": .optional(state?.notBefore.map { RFC3339.string($0) }),
            "runs": RunHistoryView(history: report.runs, clock: clock).json,
        ]
    }

    private var verification: VerificationStateView? {
        report.verification.map { VerificationStateView(state: $0, clock: clock) }
    }

    private var outbox: String {
        let words: [(DeliveryState, String)] = [
            (.pending, "waiting"), (.leased, "in flight"), (.delivered, "delivered"), (.dead, "rejected"),
        ]
        return words.map { "\(Figures.grouped(report.outbox[$0.0] ?? 0)) \($0.1)" }.joined(separator: ", ")
    }

    private var server: String {
        guard let server = report.server else { return "none; all data stays local" }
        return server.isConfigured
            ? server.destination : "\(server.destination) (not configured; the only known server)"
    }

    private static let paused = "paused by `healthsync pause`; run `healthsync resume` to continue"

    private var sending: String? {
        if report.isPaused { return Self.paused }
        guard let state = report.destinationState else { return nil }
        if state.isDisabled { return "disabled: the server reports that it is permanently gone" }
        if let reason = state.pausedReason { return "paused: \(reason)" }
        return state.notBefore.map { "not before \(Figures.wallClock($0, clock)), as the server requested" }
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none yet" : names.joined(separator: ", ") }
}
