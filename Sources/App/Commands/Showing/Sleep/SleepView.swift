import HealthSyncDomain

/// Sleep over a range of days.
struct SleepView {
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
