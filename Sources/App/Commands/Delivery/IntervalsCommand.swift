import HealthSyncDomain
import HealthSyncEngine

/// `healthsync intervals`
enum IntervalsCommand: Command {
    static let declaration = CommandDeclaration(
        "intervals", "List the intervals in which raw samples are sent",
        discussion: [
            "An interval is a part of a fixed time grid, halved until it contains at most 10,000 steps, or 2,000 samples of "
                + "another type. It is synced once the server has all of its samples.",
            "Changes and sends nothing. May run during another run.",
        ],
        options: [
            .flag("unsynced", "List only intervals that are incomplete on the server"),
            .value("type", "NAME", "List only intervals of this type", default: "all types that were sent raw"),
        ], examples: ["intervals --unsynced", "intervals --type stepCount --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let table = context.environment.factory.typeTable
        var type: SampleType?
        if let name = context.parsed.text("type") { type = try MetricChoice.type(named: name, table: table).type }
        let (destination, reports) = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.intervals.run()
        }
        let view = IntervalsView(
            destination: destination, reports: reports.filter { type == nil || $0.type == type },
            showsSynced: !context.parsed.has("unsynced"), clock: settings.clock)
        context.show(charts: view.lines(context.style), json: view.json)
        return .done
    }
}

/// The intervals of each type, with totals.
private struct IntervalsView: JSONEncodable {
    let destination: String?
    let reports: [IntervalReport]
    let showsSynced: Bool
    let clock: DayClock

    func lines(_ style: OutputStyle) -> [String] {
        guard !reports.isEmpty else { return ["no intervals yet; the first delivery of raw samples creates them"] }
        var table = TextTable(heads: [
            ("type", .left), ("from", .left), ("length", .right), ("steps", .right), ("samples", .right),
            ("state", .left),
        ])
        for report in reports {
            for status in shown(report) { add(status, of: report, to: &table) }
        }
        let isEmpty = reports.allSatisfy { shown($0).isEmpty }
        return (isEmpty ? [] : table.lines(fitting: style) + [""]) + reports.map(total).flatMap { style.wrapped($0) }
    }

    var json: JSONValue {
        [
            "server": destination,
            "types": reports.map { report in
                [
                    "type": report.type.rawValue, "measure": report.rule.measure.rawValue,
                    "limit": report.rule.limit, "totals": totals(report),
                    "intervals": shown(report).map { json($0, of: report) },
                ] as JSONValue
            },
        ]
    }

    private func shown(_ report: IntervalReport) -> [IntervalStatus] {
        report.statuses.filter { showsSynced || $0.state != .synced }
    }

    private func add(_ status: IntervalStatus, of report: IntervalReport, to table: inout TextTable) {
        let figures = status.interval.figures
        table.add(
            report.type.shortName, Figures.wallClock(status.interval.interval.start, clock),
            Self.length(status.interval.interval.seconds),
            report.rule.measure == .steps ? Figures.grouped(Int(figures.stepCount)) : "",
            Figures.grouped(figures.sampleCount), Self.word(for: status))
    }

    private func total(_ report: IntervalReport) -> String {
        let states = IntervalState.allCases.filter { report.count($0) > 0 }.map {
            "\(Figures.grouped(report.count($0))) \(Self.word(for: $0))"
        }
        let steps = report.rule.measure == .steps ? "\(Figures.grouped(Int(report.stepCount))) steps, " : ""
        let empty = report.statuses.count(where: \.isSyncedWithoutSamples)
        return "\(report.type.shortName): \(Figures.count(report.statuses.count, "interval")), \(steps)"
            + "\(Figures.count(report.sampleCount, "sample")); \(states.joined(separator: ", "))"
            + (empty > 0 ? " (\(Figures.grouped(empty)) synced without samples)" : "")
    }

    private func totals(_ report: IntervalReport) -> JSONValue {
        [
            "intervals": report.statuses.count, "samples": report.sampleCount,
            "steps": report.rule.measure == .steps ? report.stepCount : nil,
            "synced": report.count(.synced), "waiting": report.count(.waiting),
            "rejected": report.count(.rejected), "refused": report.count(.rejected),
            "local": report.count(.local),
        ]
    }

    private func json(_ status: IntervalStatus, of report: IntervalReport) -> JSONValue {
        let figures = status.interval.figures
        return [
            "start": status.interval.interval.start,
            "end": status.interval.interval.end,
            "seconds": status.interval.interval.seconds,
            "steps": report.rule.measure == .steps ? figures.stepCount : nil,
            "samples": figures.sampleCount, "digest": Self.digest(figures.digest),
            "deliveryState": status.state == .rejected ? "rejected" : status.state.rawValue,
            "state": status.state.rawValue, "rejected": status.rejectedCount,
            "refused": status.rejectedCount,
            "syncedAt": status.syncedAt,
        ]
    }

    /// Returns the digest as 32 hexadecimal digits.
    private static func digest(_ digest: IntervalDigest) -> String {
        HexDigits.text(digest.high, digest.low)
    }

    private static func word(for status: IntervalStatus) -> String {
        let rejected = status.rejectedCount > 0 ? ", \(Figures.count(status.rejectedCount, "sample")) rejected" : ""
        return word(for: status.state) + rejected
    }

    private static func word(for state: IntervalState) -> String {
        switch state {
        case .synced: "synced"
        case .waiting: "waiting"
        case .rejected: "incomplete"
        case .local: "local"
        }
    }

    private static func length(_ seconds: Int64) -> String {
        seconds < 7_200
            ? "\(seconds) s"
            : seconds < 172_800 ? "\(seconds / 3_600) h" : "\(Figures.grouped(Int(seconds / 86_400))) d"
    }
}
