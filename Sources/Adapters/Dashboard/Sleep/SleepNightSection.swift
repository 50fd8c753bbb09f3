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
