import HealthSyncDomain

/// One night: its course, its stages, who recorded it, and the naps of its day.
struct SleepNightSection {
    let overview: SleepOverview
    let day: CalendarDay
    let numbers: NumberForm
    /// By which the times of a session stand on the wall.
    let clock: DayClock

    var markup: [Markup] {
        guard let night = overview.nights.first else {
            return [.tag("section", [.class("card")], .tag("p", [], "No sleep was recorded in the night to \(day)."))]
                + naps
        }
        let further = night.additional.map { session($0, title: "More sleep that night") }
        let others = night.others.map { session($0, title: "As \($0.origin.sourceName) recorded it") }
        return [session(night.main, title: "Main sleep")] + further + others + naps
    }

    private var naps: [Markup] { overview.naps.map { session($0, title: "Nap") } }

    private func session(_ session: SleepSession, title: String) -> Markup {
        let durations = session.durations
        var facts: [(String, Markup)] = [
            ("Asleep", SleepFigure.duration(durations.asleep)),
            ("In bed", SleepFigure.duration(durations.inBed)),
            ("Efficiency", SleepFigure.efficiency(durations.efficiencyPercentage, numbers)),
            ("From", SleepFigure.time(session.interval.start, of: session, by: clock)),
            ("To", SleepFigure.time(session.interval.end, of: session, by: clock)),
        ]
        facts.append(("Recorded by", .tag("span", [.class("name")], .text(session.origin.sourceName))))
        return .tag(
            "section", [.class("card")], [.tag("h2", [], .text(title)), FactList.markup(facts)] + course(session))
    }

    private func course(_ session: SleepSession) -> [Markup] {
        guard let hypnogram = Hypnogram(of: session) else {
            return [
                .tag("p", [.class("quiet")], "The recorder states sums only: the course of the night is not known.")
            ]
        }
        let chart = HypnogramChart(
            hypnogram: hypnogram, offsetSeconds: { session.offsetSeconds(at: $0, by: clock) },
            description:
                "Stages from \(time(session.interval.start, session)) to \(time(session.interval.end, session))")
        var note: [Markup] = []
        if session.durations.core + session.durations.deep + session.durations.rem == 0 {
            note = [.tag("p", [.class("quiet")], "The recorder does not tell stages of sleep apart.")]
        }
        let lengths = SleepFigure.lengths(session.durations)
        return [chart.markup] + note + (lengths.isEmpty ? [] : [breakdown(lengths, of: session)])
            + [course(hypnogram, session).behindChart]
    }

    private func breakdown(
        _ lengths: [(stage: SleepStage, milliseconds: Int64)], of session: SleepSession
    ) -> Markup {
        var table = DataTable("Stages", [.text("Stage"), .number("Time"), .number("Share of time in bed")])
        for (stage, length) in lengths {
            let share = session.durations.inBed > 0 ? Double(length) / Double(session.durations.inBed) * 100 : 0
            table.add([
                .tag("span", [.class("swatch \(StagePalette.style(stage))")]) + .text(stage.name),
                SleepFigure.duration(length), Figure.number(share, numbers.rounded(share, places: 0) + " %"),
            ])
        }
        return table.markup
    }

    private func course(_ hypnogram: Hypnogram, _ session: SleepSession) -> DataTable {
        let stretch = "\(time(session.interval.start, session)) to \(time(session.interval.end, session))"
        var table = DataTable(
            "Course from \(stretch) by \(session.origin.sourceName)",
            [.text("From"), .text("To"), .text("Stage"), .number("Time")])
        for segment in hypnogram.segments {
            table.add([
                SleepFigure.time(segment.interval.start, of: session, by: clock),
                SleepFigure.time(segment.interval.end, of: session, by: clock),
                .text(segment.stage.name), SleepFigure.duration(segment.interval.milliseconds),
            ])
        }
        return table
    }

    private func time(_ instant: Instant, _ session: SleepSession) -> String {
        Figure.clockTime(instant, offsetSeconds: session.offsetSeconds(at: instant, by: clock))
    }
}
