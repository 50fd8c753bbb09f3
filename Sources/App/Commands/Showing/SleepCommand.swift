import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync sleep`
enum SleepCommand: Command {
    static let declaration = CommandDeclaration(
        "sleep", "Show nights with their stages, averages and naps, or sleep by week, month or year",
        discussion: [
            "A night belongs to the day on which it ends. If several sources recorded a night, the preferred one is "
                + "shown and counted; --all also shows the others. Averages exclude naps, and nights of which only "
                + "time in bed is known.",
            "--by week, month or year shows the average night of each, and compares the last two.",
        ],
        arguments: [ShownDays.daysArgument],
        options: ShownDays.rangeOptions + [
            .value(
                "by", "PERIOD",
                "Show nights, or the average night of weeks (from Monday), months or years: "
                    + "day, week, month, year", default: "day"),
            .flag("all", "Show the sessions of every source"),
        ],
        examples: [
            "sleep", "sleep yesterday --all", "sleep --by month", "sleep --from 2024-01-01 --to 2024-01-31 --json",
        ]
    )

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let asked = try ShownDays(context.parsed, today: today)
        if context.parsed.text("by") == ShownDays.Grain.hour.word {
            throw SyncFailure.usage("--by", "sleep has no hours", advice: "use day, week, month or year")
        }
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.records
            let shown = asked.limited(to: try await repository.recordedDays(), today: today)
            let view = SleepView(
                overview: SleepOverview(days: shown.days, sessions: try await repository.sleep(days: shown.days)),
                grain: asked.grain, clock: settings.clock,
                latest: try await repository.latestDay(of: .sleep, through: nil))
            context.show(charts: view.lines(context.style, showsAll: context.parsed.has("all")), json: view.json)
            return .done
        }
    }
}

/// Sleep over a range of days.
private struct SleepView {
    let overview: SleepOverview
    let grain: ShownDays.Grain
    let clock: DayClock
    /// The latest day with sleep; `nil` if nothing is recorded.
    let latest: CalendarDay?

    /// Returns the output for a terminal or a file; `showsAll` adds the sessions that other sources cover.
    func lines(_ style: OutputStyle, showsAll: Bool) -> [String] {
        let naps = overview.naps + (showsAll ? overview.otherNaps : [])
        guard !overview.nights.isEmpty || !naps.isEmpty else {
            return style.wrapped(DayText.nothing("sleep", on: overview.days, latest: latest))
        }
        if let unit = grain.longUnit {
            let table = SleepPeriodTable(periods: overview.averages(by: unit), first: overview.days.first)
            let inBed = overview.nights.count { !$0.main.durations.isSleepKnown }
            let note = SleepAverages.note(onlyInBed: inBed, number: Figures.grouped).map { style.wrapped($0) } ?? []
            let blocks = [[DayText.range(overview.days)] + table.lines(style), note, averages]
            return Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
        }
        var table = SleepTable(clock: clock, style: style, namesSources: showsAll)
        for night in overview.nights {
            table.add(night.main, label: night.day.nameAndDate)
            for session in night.additional { table.add(session, label: "  also") }
            for session in showsAll ? night.others : [] { table.add(session, label: "  other") }
        }
        let nightCount = table.count
        for nap in naps { table.add(nap, label: nap.counts ? nap.day.nameAndDate : "  other") }
        let blocks = [
            table.lines(0..<nightCount, title: "night"), table.lines(nightCount..<table.count, title: "naps"),
            averages, table.legend,
        ]
        return [DayText.range(overview.days)] + Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private var averages: [String] {
        guard let averages = overview.averages else { return [] }
        var table = TextTable([.left, .left])
        table.add("asleep", DurationText.minutes(milliseconds: averages.asleep))
        table.add("in bed", DurationText.minutes(milliseconds: averages.inBed))
        table.add("efficiency", Figures.rounded(averages.efficiencyPercentage, places: 0) + "%")
        var lines = ["average of \(Figures.count(averages.nights, "night"))"] + table.lines(indentation: 2)
        guard let stages = averages.stages else { return lines }
        if stages.nights != averages.nights {
            lines.append("average of \(Figures.count(stages.nights, "night")) with stages")
        }
        var staged = TextTable([.left, .left])
        for (name, length) in [
            ("awake", stages.awake), ("REM", stages.rem), ("core", stages.core), ("deep", stages.deep),
        ] {
            staged.add(DisplayText.padded(name, columns: 10), DurationText.minutes(milliseconds: length))
        }
        return lines + staged.lines(indentation: 2)
    }
}

extension SleepView: JSONEncodable {
    var json: JSONValue {
        [
            "zone": clock.home.identifier, "days": overview.days,
            "by": (grain.longUnit ?? .day).rawValue, "averages": overview.averages.map(Self.averages),
            "periods": (grain.longUnit.map { overview.averages(by: $0) } ?? []).map { period in
                JSONValue.joined(
                    .period(period.period, days: period.days, recordedDays: period.recordedDays),
                    ["averages": period.averages.map(Self.averages)])
            },
            "nights": overview.nights.map { night in
                [
                    "day": night.day, "main": session(night.main),
                    "additional": night.additional.map(session),
                    "others": night.others.map(session),
                ] as JSONValue
            },
            "naps": overview.naps.map(session), "otherNaps": overview.otherNaps.map(session),
        ]
    }

    private func session(_ session: SleepEpisode) -> SleepEpisodeView {
        SleepEpisodeView(sleep: session, clock: clock)
    }

    private static func averages(_ averages: SleepAverages) -> JSONValue {
        [
            "nights": averages.nights, "timeInBedMinutes": JSONValue.minutes(averages.inBed),
            "totalSleepMinutes": JSONValue.minutes(averages.asleep),
            "sleepEfficiencyPercentage": averages.efficiencyPercentage,
            "stages": averages.stages.map { stages in
                [
                    "nights": stages.nights, "awakeMinutes": JSONValue.minutes(stages.awake),
                    "remMinutes": JSONValue.minutes(stages.rem), "coreMinutes": JSONValue.minutes(stages.core),
                    "deepMinutes": JSONValue.minutes(stages.deep),
                ] as JSONValue
            },
        ]
    }
}

/// The average night of weeks, months or years, with a comparison of the last two with sleep.
private struct SleepPeriodTable {
    let periods: [SleepAverages.Period]
    /// The first selected day; a period that begins before it lacks nights.
    let first: CalendarDay

    func lines(_ style: OutputStyle) -> [String] {
        var table = ChartTable(
            heads: [
                (periods.first?.period.unit.rawValue ?? "", .left), ("asleep", .right), ("in bed", .right),
                ("eff", .right), ("nights", .right),
            ], nameColumn: 0, leastName: 4)
        for period in periods {
            let averages = period.averages
            table.add(
                [
                    "\(period.period)", averages.map { DurationText.minutes(milliseconds: $0.asleep) } ?? "-",
                    averages.map { DurationText.minutes(milliseconds: $0.inBed) } ?? "-",
                    averages.map { Figures.rounded($0.efficiencyPercentage, places: 0) + "%" } ?? "-",
                    "\(averages?.nights ?? 0)",
                ], value: averages?.asleep)
        }
        return table.lines(style) + comparison.flatMap { [""] + style.wrapped($0) }
    }

    /// Compares the last period with sleep with the one before; empty if that has none.
    private var comparison: [String] {
        guard let index = periods.lastIndex(where: { $0.averages != nil }), index > 0,
            let now = periods[index].averages, let then = periods[index - 1].averages
        else { return [] }
        let (last, before) = (periods[index], periods[index - 1])
        let length = "\(last.period): \(DurationText.minutes(milliseconds: now.asleep)) a night"
        guard before.period.days.first >= first else {
            return [length + "; \(before.period) is not compared, because the selected days begin on \(first)"]
        }
        let difference = now.asleep - then.asleep
        let size = DurationText.minutes(milliseconds: difference.magnitude)
        let words = size == "0 min" ? "as much as" : "\(size) \(difference < 0 ? "less" : "more") than"
        return ["\(length), \(words) in \(before.period)"]
    }
}

/// Sessions as rows: on a terminal with a stage bar next to or below each, otherwise with the time of each stage.
private struct SleepTable {
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

/// The stages of a night, one character per slice: the lighter the sleep, the taller.
private struct StageBar: Sendable {
    private let longest: Int64
    private let room: Int
    private let style: OutputStyle

    /// Bars on one scale, in which a night of `longest` milliseconds is `room` columns wide.
    init(longest: Int64, room: Int, style: OutputStyle) {
        self.longest = max(1, longest)
        self.room = room
        self.style = style
    }

    /// Returns the bar of `session`, or a note if only sums are known.
    func bar(_ session: SleepEpisode) -> String {
        guard let hypnogram = Hypnogram(of: session) else { return "no stages, only sums" }
        let share = Double(session.interval.milliseconds) / Double(longest)
        var bar = ""
        var run: (stage: SleepStage, text: String)?
        for stage in hypnogram.slices(max(1, Int((share * Double(room)).rounded()))) {
            if let current = run, current.stage != stage {
                bar += style.colored(current.text, Self.color(current.stage))
                run = nil
            }
            guard let stage else {
                bar += " "
                continue
            }
            run = (stage, (run?.text ?? "") + mark(stage))
        }
        return bar + (run.map { style.colored($0.text, Self.color($0.stage)) } ?? "")
    }

    /// Returns the meaning of each character in the bars of `sessions`, with the width of each entry in columns.
    func legend(of sessions: [SleepEpisode]) -> [(text: String, columns: Int)] {
        let present = Set(sessions.compactMap(Hypnogram.init).flatMap { $0.segments.map(\.stage) })
        return SleepStage.fromLightest.filter(present.contains).map { stage in
            (style.colored(mark(stage), Self.color(stage)) + " " + stage.name, 2 + stage.name.count)
        }
    }

    private func mark(_ stage: SleepStage) -> String {
        switch stage {
        case .inBed: style.hasBlocks ? "·" : "."
        case .awake: style.hasBlocks ? "█" : "W"
        case .rem: style.hasBlocks ? "▆" : "R"
        case .core: style.hasBlocks ? "▄" : "C"
        case .deep: style.hasBlocks ? "▂" : "D"
        case .asleep: style.hasBlocks ? "▒" : "S"
        }
    }

    private static func color(_ stage: SleepStage) -> Palette {
        switch stage {
        case .inBed: .inBed
        case .awake: .awake
        case .rem: .rem
        case .core: .core
        case .deep: .deep
        case .asleep: .asleep
        }
    }
}
