import HealthSyncDomain

/// One night: its stages over time, their sums, its source, and the naps of its day.
struct SleepNightSection {
    let overview: SleepOverview
    let day: CalendarDay
    let context: PageContext

    private var numbers: NumberForm { context.numbers }

    var markup: [Markup] {
        guard let night = overview.nights.first else {
            return [
                .tag(
                    "section", [.class("card")],
                    .tag("p", [], "No sleep was recorded in the night to \(day.dateInWords)."))
            ]
                + naps
        }
        let further = night.additional.map { session($0, title: "More sleep that night") }
        let others = night.others.map {
            session($0, title: "As " + .tag("bdi", [], .text(source($0))) + " recorded it")
        }
        return [session(night.main, title: "Main sleep")] + further + others + naps
    }

    private var naps: [Markup] { overview.naps.map { session($0, title: "Nap") } }

    private func session(_ session: SleepEpisode, title: Markup) -> Markup {
        let durations = session.durations
        var facts: [(String, Markup)] = [
            ("Asleep", SleepFigure.asleep(durations)),
            ("In bed", SleepFigure.duration(durations.inBed)),
            ("Efficiency", SleepFigure.efficiency(durations, numbers)),
            ("From", context.wallClock.of(session).time(session.interval.start)),
            ("To", context.wallClock.of(session).time(session.interval.end)),
        ]
        facts.append(("Recorded by", .tag("span", [.class("name")], .text(source(session)))))
        return .tag(
            "section", [.class("card")], [.tag("h2", [], title), FactList.markup(facts)] + course(session))
    }

    private func course(_ session: SleepEpisode) -> [Markup] {
        let lengths = SleepFigure.lengths(session.durations)
        let stages = lengths.isEmpty ? [] : [breakdown(lengths, of: session)]
        guard let hypnogram = Hypnogram(of: session) else {
            return [
                .tag("p", [.class("quiet")], "The source provides only the total time of each stage.")
            ] + stages
        }
        let chart = HypnogramChart(
            hypnogram: hypnogram, clock: context.wallClock.of(session), description: "Stages \(stretch(session))")
        var note: [Markup] = []
        if !session.durations.isSleepKnown {
            note = [.tag("p", [.class("quiet")], "Only the time in bed is known; averages leave this night out.")]
        } else if session.durations.core + session.durations.deep + session.durations.rem == 0 {
            note = [.tag("p", [.class("quiet")], "The source does not distinguish stages of sleep.")]
        }
        return [chart.markup] + note + stages + [course(hypnogram, session).behindChart]
    }

    private func breakdown(
        _ lengths: [(stage: SleepStage, milliseconds: Int64)], of session: SleepEpisode
    ) -> Markup {
        var table = DataTable(
            "Stages \(stretch(session)) by \(source(session))",
            [.text("Stage"), .number("Time"), .number("Share of time in bed")])
        for (stage, length) in lengths {
            let share = session.durations.inBed > 0 ? Double(length) / Double(session.durations.inBed) * 100 : 0
            table.add([
                StagePalette.sample(stage),
                SleepFigure.duration(length), Figure.number(share, numbers.rounded(share, places: 0) + " %"),
            ])
        }
        return table.markup
    }

    private func course(_ hypnogram: Hypnogram, _ session: SleepEpisode) -> DataTable {
        var table = DataTable(
            "Course \(stretch(session)) by \(source(session))",
            [.text("From"), .text("To"), .text("Stage"), .number("Time")])
        let clock = context.wallClock.of(session)
        for segment in hypnogram.segments {
            table.add([
                clock.time(segment.interval.start), clock.time(segment.interval.end),
                .text(segment.stage.name), SleepFigure.duration(segment.interval.milliseconds),
            ])
        }
        return table
    }

    private func source(_ session: SleepEpisode) -> String {
        session.sources.map(UUIDText.folded).joined(separator: ", ")
    }

    private func stretch(_ session: SleepEpisode) -> String {
        let clock = context.wallClock.of(session)
        return "from \(clock.text(session.interval.start)) to \(clock.text(session.interval.end))"
    }
}

/// The stages of a night: a row for each stage, time from left to right.
private struct HypnogramChart {
    let hypnogram: Hypnogram
    /// The wall clock, which may change during the night.
    let clock: WallClock
    let description: String

    /// The stages that occur, from the lightest to the deepest.
    var stages: [SleepStage] {
        let present = Set(hypnogram.segments.map(\.stage))
        return SleepStage.fromLightest.filter(present.contains)
    }

    /// The drawings for wide and narrow screens.
    var markup: Markup {
        let area = ChartArea(height: Double(stages.count) * 42 + 56)
        return drawing(area) + drawing(area.narrow)
    }

    private func drawing(_ area: ChartArea) -> Markup {
        let stages = stages
        let rowHeight = area.plotHeight / Double(max(1, stages.count))
        let gap = rowHeight / 8
        var (bars, places): ([Markup], [Markup]) = ([], [])
        var last: (x: Double, y: Double)?
        for segment in hypnogram.segments {
            guard let row = stages.firstIndex(of: segment.stage) else { continue }
            let y = area.top + Double(row) * rowHeight
            let (start, end) = (x(segment.interval.start, area), x(segment.interval.end, area))
            if let last {
                bars.append(
                    .tag(
                        "line",
                        [
                            .class("link"), .init("x1", start), .init("x2", start), .init("y1", last.y + rowHeight / 2),
                            .init("y2", y + rowHeight / 2),
                        ]))
            }
            let width = max(1, end - start)
            bars.append(bar(segment.stage, x: start, y: y + gap, width: width, height: rowHeight - 2 * gap))
            let title = "\(segment.stage.name) \(time(segment.interval.start)) to \(time(segment.interval.end))"
            places.append(area.place(title, x: start, width: width))
            last = (end, y)
        }
        return area.svg(description, rows(stages, area, rowHeight) + hours(area) + bars + places)
    }

    private func bar(_ stage: SleepStage, x: Double, y: Double, width: Double, height: Double) -> Markup {
        .tag(
            "rect",
            [
                .class("stage \(StagePalette.style(stage))"), .init("x", x), .init("y", y), .init("width", width),
                .init("height", height), .init("rx", min(4, width / 3)),
            ])
    }

    private func rows(_ stages: [SleepStage], _ area: ChartArea, _ rowHeight: Double) -> [Markup] {
        stages.enumerated().flatMap { index, stage -> [Markup] in
            let y = area.top + (Double(index) + 0.5) * rowHeight
            return [
                .tag(
                    "line",
                    [
                        .class("grid"), .init("x1", area.left), .init("x2", area.width), .init("y1", y), .init("y2", y),
                    ]),
                .tag(
                    "text", [.init("x", 0.0), .init("y", y + 4), .init("aria-hidden", "true")],
                    .text(stage.name)),
            ]
        }
    }

    /// Returns a mark at every full hour, or every second or third one of a long session. After a clock change in the
    /// night the marks stay at their instants, labeled with the changed time.
    private func hours(_ area: ChartArea) -> [Markup] {
        let hour: Int64 = 3_600_000
        let step = max(1, (hypnogram.interval.milliseconds / hour + 6) / 7) * hour
        let shift = clock.offsetSeconds(at: hypnogram.interval.start) * 1000
        let wallStart = hypnogram.interval.start.milliseconds + shift
        var number = (wallStart + step - 1).flooredQuotient(by: step)
        var instant = Instant(milliseconds: number * step - shift)
        var marks: [Markup] = []
        var labels: [(number: Int64, text: String, x: Double)] = []
        while instant <= hypnogram.interval.end {
            let x = x(instant, area)
            marks.append(
                .tag(
                    "line",
                    [
                        .class("grid"), .init("x1", x), .init("x2", x), .init("y1", area.top),
                        .init("y2", area.height - area.bottom),
                    ]))
            labels.append((number, time(instant), x))
            number += 1
            instant = instant.advanced(byMilliseconds: step)
        }
        return marks + area.evenLabels(labels)
    }

    private func x(_ instant: Instant, _ area: ChartArea) -> Double {
        let share =
            Double(instant.milliseconds - hypnogram.interval.start.milliseconds)
            / Double(max(1, hypnogram.interval.milliseconds))
        return area.left + share * area.plotWidth
    }

    private func time(_ instant: Instant) -> String { clock.text(instant) }
}

/// The colors of the stages of sleep.
enum StagePalette {
    /// Returns the class that sets the color.
    static func style(_ stage: SleepStage) -> String { stage == .inBed ? "in-bed" : stage.rawValue }

    /// Returns the name next to its color.
    static func sample(_ stage: SleepStage) -> Markup {
        .tag("span", [.class("whole")], .tag("span", [.class("swatch \(style(stage))")]), .text(stage.name))
    }

    /// Returns the legend of the colors.
    static func legend(_ stages: [SleepStage]) -> Markup {
        .tag(
            "ul", [.class("legend"), .init("aria-label", "Colors")],
            stages.map { .tag("li", [.class(style($0))], .text($0.name)) })
    }
}
