import HealthSyncDomain

/// Sessions as rows: on a terminal with a stage bar next to or below each, otherwise with the time of each stage.
struct SleepTable {
    private let clock: DayClock
    private let style: OutputStyle
    private let namesSources: Bool
    /// Whether the name of the source is in the row; otherwise it is below.
    private let hasNameColumn: Bool
    private let hasEfficiency: Bool
    private var rows: [(label: String, session: SleepEpisode)] = []

    init(clock: DayClock, style: OutputStyle, namesSources: Bool) {
        self.clock = clock
        self.style = style
        self.namesSources = namesSources || !style.hasCharts
        hasEfficiency = style.width ?? .max >= 46
        hasNameColumn = self.namesSources && style.width ?? .max >= 60
    }

    var count: Int { rows.count }

    mutating func add(_ session: SleepEpisode, label: String) { rows.append((label, session)) }

    /// Returns the lines of the rows in `range`, below the heads, the first of which is `title`; empty without rows.
    func lines(_ range: Range<Int>, title: String) -> [String] {
        guard !range.isEmpty else { return [] }
        var table = TextTable(heads: heads(title))
        for row in rows[range] { table.add(cells(row)) }
        if hasNameColumn { table.cut(4, toFit: style.width) }
        guard let width = style.width else { return table.lines() }
        if let room = style.chartWidth(beside: table.width), room >= 20 {
            let bars = stageBar(room)
            return table.lines(charts: [""] + rows[range].map { bars.bar($0.session) })
        }
        let bars = stageBar(max(1, width - 2))
        return Array(zip(table.lines(), [nil] + rows[range].map { $0.session })).flatMap { line, session in
            [line] + (session.map { below($0, bars, width: width) } ?? [])
        }
    }

    private func below(_ session: SleepEpisode, _ bars: StageBar, width: Int) -> [String] {
        let name = namesSources && !hasNameColumn ? [Self.name(session, columns: width - 2)] : []
        return (name + [bars.bar(session)]).map { "  " + $0 }
    }

    /// The meaning of the characters in the bars, on lines that fit the terminal.
    var legend: [String] {
        guard let width = style.width else { return [] }
        var lines: [String] = []
        var used = width
        for entry in stageBar(1).legend(of: rows.map(\.session)) {
            if used + 2 + entry.columns > width {
                lines.append(entry.text)
                used = entry.columns
            } else {
                lines[lines.count - 1] += "  " + entry.text
                used += 2 + entry.columns
            }
        }
        return lines
    }

    private func stageBar(_ room: Int) -> StageBar {
        StageBar(longest: rows.map(\.session.interval.milliseconds).max() ?? 0, room: room, style: style)
    }

    private func heads(_ title: String) -> [(String, TextTable.Alignment)] {
        [(title, .left), ("from-to", .left), ("asleep", .right)]
            + (hasEfficiency ? [("eff", .right)] : [])
            + (style.hasCharts
                ? []
                : [
                    ("in bed", .right), ("awake", .right), ("REM", .right), ("core", .right), ("deep", .right),
                    ("unspecified", .right), ("role", .left),
                ])
            + (hasNameColumn ? [("source", .left)] : [])
    }

    private func cells(_ row: (label: String, session: SleepEpisode)) -> [String] {
        let durations = row.session.durations
        let view = SleepEpisodeView(sleep: row.session, clock: clock)
        var cells =
            [row.label, view.times]
            + [durations.isSleepKnown ? Self.text(durations.asleep) : "-"]
        if hasEfficiency { cells.append(durations.isSleepKnown ? view.efficiency : "-") }
        if !style.hasCharts {
            let lengths = [durations.awake, durations.rem, durations.core, durations.deep, durations.unspecified]
            cells += [Self.text(durations.inBed)] + lengths.map { $0 > 0 ? Self.text($0) : "-" }
            cells.append(row.session.role.rawValue)
        }
        if hasNameColumn { cells.append(Self.name(row.session, columns: style.hasCharts ? 20 : 40)) }
        return cells
    }

    private static func name(_ session: SleepEpisode, columns: Int) -> String {
        DisplayText.fitted(UntrustedText.escaped(session.sourceNames), columns: columns)
    }

    private static func text(_ milliseconds: Int64) -> String {
        DurationText.minutes(milliseconds: Double(milliseconds))
    }
}
