import HealthSyncDomain

/// Several nights: averages, a column for each night, and naps separately.
struct SleepRangeSection {
    let overview: SleepOverview
    let context: PageContext
    /// The address of the night of a day.
    let address: (CalendarDay) -> String

    private var numbers: NumberForm { context.numbers }

    var markup: [Markup] {
        guard !overview.nights.isEmpty else {
            return [.tag("section", [.class("card")], .tag("p", [], "No nights were recorded in this time."))] + naps
        }
        return [
            .tag("section", [.class("card")], .tag("h2", [], "On average"), averages),
            week,
            .tag(
                "section", [.class("card")], .tag("h2", [], "Nights"), chart,
                StagePalette.legend([.deep, .core, .rem, .asleep, .awake, .inBed].filter(occurs)), table.markup),
        ] + naps
    }

    private var week: Markup {
        guard overview.days.count <= 7 else { return .nothing }
        let chart = WeekOfNightsChart(
            overview: overview, context: context, title: { "\(Figure.dayText($0.day)): \(summary($0.main.durations))" },
            address: address)
        return chart.section
    }

    private var averages: Markup {
        guard let averages = overview.averages else {
            return .tag("p", [], "Only the time in bed is known.")
        }
        var facts: [(String, Markup)] = [
            ("Asleep", SleepFigure.duration(Int64(averages.asleep.rounded()))),
            ("In bed", SleepFigure.duration(Int64(averages.inBed.rounded()))),
            ("Efficiency", SleepFigure.efficiency(averages.efficiencyPercentage, numbers)),
            ("Nights with sleep", Figure.number(Double(averages.nights), "\(averages.nights)")),
        ]
        if let stages = averages.stages {
            for (name, length) in [
                ("Deep", stages.deep), ("Core", stages.core), ("REM", stages.rem), ("Awake", stages.awake),
            ] {
                facts.append((name, SleepFigure.duration(Int64(length.rounded()))))
            }
        }
        return FactList.markup(facts)
    }

    private func occurs(_ stage: SleepStage) -> Bool {
        overview.nights.contains { night in
            let durations = night.main.durations
            guard durations.isSleepKnown else { return stage == .inBed }
            return SleepFigure.lengths(durations).contains { $0.stage == stage }
        }
    }

    private var chart: Markup {
        let nights = Dictionary(overview.nights.map { ($0.day, $0) }) { first, _ in first }
        let columns = overview.days.map { day in
            let label = ColumnLabels.period(CalendarPeriod(.day, holding: day))
            guard let night = nights[day] else {
                return ChartColumn("\(Figure.dayText(day)): no sleep recorded", label: label)
            }
            let durations = night.main.durations
            var column = ChartColumn(
                "\(Figure.dayText(day)): \(summary(durations))", label: label, address: address(day))
            let lengths = durations.isSleepKnown ? SleepFigure.lengths(durations) : [(.inBed, durations.inBed)]
            column.parts = lengths.map {
                (Double($0.milliseconds) / 3_600_000, "stage \(StagePalette.style($0.stage))")
            }
            return column
        }
        return ColumnChart(
            description: "Sleep by night, in hours, by stages", columns: columns,
            unit: 0.5, mark: { "\(numbers.rounded($0)) h" }
        ).markup
    }

    private func summary(_ durations: SleepDurations) -> String {
        durations.isSleepKnown
            ? "\(DurationText.minutes(milliseconds: Double(durations.asleep))) asleep, "
                + "\(numbers.rounded(durations.efficiencyPercentage, places: 0)) % efficiency"
            : "\(DurationText.minutes(milliseconds: Double(durations.inBed))) in bed"
    }

    private var table: DataTable {
        var table = DataTable(
            "Nights",
            [
                .text("Night to"), .text("From"), .text("To"), .number("Asleep"), .number("In bed"),
                .number("Efficiency"),
            ])
        for night in overview.nights.reversed() {
            let main = night.main
            let clock = context.wallClock.of(main)
            table.add([
                .tag("a", [.href(address(night.day))], Figure.day(night.day)),
                clock.time(main.interval.start), clock.time(main.interval.end),
                SleepFigure.asleep(main.durations), SleepFigure.duration(main.durations.inBed),
                SleepFigure.efficiency(main.durations, numbers),
            ])
        }
        return table
    }

    private var naps: [Markup] {
        guard !overview.naps.isEmpty else { return [] }
        var table = DataTable("Naps", [.text("Day"), .text("From"), .text("To"), .number("Asleep")])
        for nap in overview.naps.reversed() {
            let clock = context.wallClock.of(nap)
            table.add([
                Figure.day(nap.day), clock.time(nap.interval.start, on: nap.day), clock.time(nap.interval.end),
                SleepFigure.asleep(nap.durations),
            ])
        }
        return [.tag("section", [.class("card")], .tag("h2", [], "Naps"), table.markup)]
    }
}

/// The nights of a week below each other, from evening to noon, by stages.
private struct WeekOfNightsChart {
    let overview: SleepOverview
    let context: PageContext
    /// The night in words.
    let title: (SleepNight) -> String
    /// The address of the night of a day.
    let address: (CalendarDay) -> String

    /// The chart in a section of its own.
    var section: Markup {
        .tag("section", [.class("card"), .id("week-of-nights")], .tag("h2", [], "Hours of the nights"), markup)
    }

    private var markup: Markup {
        let nights = overview.nights.map { (night: $0, hours: NightHours(NightTimes($0.main), clock: context.clock)) }
        let minutes = NightsChart.range(of: nights.map(\.hours))
        let area = ChartArea(height: Double(overview.days.count) * 24 + 56)
        return drawing(area, nights, minutes) + drawing(area.narrow, nights, minutes)
    }

    private func drawing(
        _ area: ChartArea, _ nights: [(night: SleepNight, hours: NightHours)], _ minutes: ClosedRange<Double>
    ) -> Markup {
        let rowHeight = area.plotHeight / Double(overview.days.count)
        func x(_ minute: Double) -> Double {
            let within = min(max(minute, minutes.lowerBound), minutes.upperBound)
            return area.left + (within - minutes.lowerBound) / (minutes.upperBound - minutes.lowerBound)
                * area.plotWidth
        }
        var (bars, places): ([Markup], [Markup]) = ([], [])
        for (night, hours) in nights {
            let y = area.top + Double(night.day.ordinal - overview.days.first.ordinal) * rowHeight
            for (style, path) in Self.paths(
                night.main, from: hours.start, y: y + rowHeight / 8, height: rowHeight * 3 / 4, x: x)
            {
                bars.append(.tag("path", [.class("stage \(style)"), .init("d", path)]))
            }
            let start = x(hours.start)
            places.append(
                area.place(
                    title(night), address: address(night.day), x: start, width: max(1, x(hours.end) - start), y: y,
                    height: rowHeight))
        }
        return area.svg(
            "Hours of the nights by stages", hours(area, minutes, x) + names(area, rowHeight) + bars + places)
    }

    /// Returns a path for each stage of a session that starts at the minute `start`.
    private static func paths(
        _ session: SleepEpisode, from start: Double, y: Double, height: Double, x: (Double) -> Double
    ) -> [(style: String, path: String)] {
        let segments =
            Hypnogram(of: session)?.segments
            ?? [
                SleepStageInterval(
                    stage: session.durations.isSleepKnown ? .asleep : .inBed, interval: session.interval)
            ]
        var paths: [String: String] = [:]
        for segment in segments {
            func minute(_ instant: Instant) -> Double {
                start + Double(instant.milliseconds - session.interval.start.milliseconds) / 60_000
            }
            let left = x(minute(segment.interval.start))
            paths[StagePalette.style(segment.stage), default: ""] += ChartArea.rectangle(
                x: left, y: y, width: x(minute(segment.interval.end)) - left, height: height)
        }
        return paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func names(_ area: ChartArea, _ rowHeight: Double) -> [Markup] {
        overview.days.enumerated().map { index, day in
            .tag(
                "text",
                [
                    .init("x", 0.0), .init("y", area.top + (Double(index) + 0.5) * rowHeight + 4),
                    .init("aria-hidden", "true"),
                ], .text(day.weekdayName))
        }
    }

    private func hours(_ area: ChartArea, _ minutes: ClosedRange<Double>, _ x: (Double) -> Double) -> [Markup] {
        let marks = Array(stride(from: minutes.lowerBound, through: minutes.upperBound, by: 180))
        let lines = marks.map { mark in
            Markup.tag(
                "line",
                [
                    .class("grid"), .init("x1", x(mark)), .init("x2", x(mark)), .init("y1", area.top),
                    .init("y2", area.height - area.bottom),
                ])
        }
        let labels = marks.map { mark in
            (text: context.clockForm.text(RegularitySection.clockText(mark)[...]), x: x(mark))
        }
        return lines + area.labels(labels.filter { area.fits($0.text, at: $0.x) })
    }
}
