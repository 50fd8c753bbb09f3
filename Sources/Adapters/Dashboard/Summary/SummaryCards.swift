import HealthSyncDomain

/// The latest steps, heart rate and sleep, each with its trend.
struct SummaryCards {
    let steps: DailyProgress?
    let heartRate: DailyProgress?
    let restingHeartRate: DailyProgress?
    let sleep: SleepEpisode?
    /// The trends of steps, resting heart rate and sleep.
    let trends: [HealthMetric: MetricTrend]
    let numbers: NumberForm

    var markup: Markup {
        .tag("div", [.class("cards")], stepsCard, heartRateCard, sleepCard)
    }

    private var stepsCard: Markup {
        card(
            "steps", "Steps", page: StepsPage.address, fixed: [("by", "hour")], day: steps?.day,
            figure: steps.map { Figure.number($0.figures.quantity, numbers.whole($0.figures.quantity)) },
            trend: trends[.steps].map { trend in
                TrendLines(
                    trend: trend, name: "Steps", suffix: " a day", words: ("more", "less"), resolution: 1,
                    text: { numbers.whole($0) })
            })
    }

    private var heartRateCard: Markup {
        card(
            "heart", "Heart rate", page: HeartRatePage.address, fixed: [("by", "hour")], day: heartRate?.day,
            figure: restingHeartRate.map { rate in
                Figure.number(rate.figures.quantity, numbers.whole(rate.figures.quantity))
                    + .tag("small", [], " /min at rest")
            } ?? range.map { $0 + .tag("small", [], " /min") },
            detail: restingHeartRate == nil ? nil : range.map { $0 + " /min" },
            trend: trends[.restingHeartRate].map { trend in
                TrendLines(
                    trend: trend, name: "Resting heart rate", suffix: " /min at rest", words: ("higher", "lower"),
                    resolution: 0.1, text: { numbers.rounded($0) })
            })
    }

    private var range: Markup? {
        guard let rate = heartRate?.figures else { return nil }
        let (low, high) = (rate.minimum ?? rate.quantity, rate.maximum ?? rate.quantity)
        return Figure.number(low, numbers.whole(low)) + " to " + Figure.number(high, numbers.whole(high))
    }

    private var sleepCard: Markup {
        card(
            "sleep", "Sleep", page: SleepPage.address, fixed: [("last", "1d")], day: sleep?.day,
            figure: sleep.map { session in
                let durations = session.durations
                let figure = SleepFigure.duration(durations.isSleepKnown ? durations.asleep : durations.inBed)
                return durations.isSleepKnown ? figure : figure + .tag("small", [.class("whole")], " in bed")
            },
            detail: sleep.flatMap { session in
                guard session.durations.isSleepKnown else { return nil }
                return SleepFigure.efficiency(session.durations, numbers) + " efficiency"
            },
            trend: trends[.sleep].map { trend in
                TrendLines(
                    trend: trend, name: "Sleep", suffix: " a night", words: ("longer", "shorter"), resolution: 1,
                    text: { DurationText.minutes($0) })
            })
    }

    private func card(
        _ id: String, _ name: String, page: String, fixed: [(name: String, value: String)], day: CalendarDay?,
        figure: Markup?, detail: Markup? = nil, trend: TrendLines? = nil
    ) -> Markup {
        guard let day, let figure else {
            return .tag(
                "section", [.class("card"), .id(id)], .tag("h2", [], .text(name)),
                .tag("p", [.class("quiet")], "Nothing recorded"))
        }
        let address = Choice.address(page, fixed + [("day", "\(day)")])
        return .tag(
            "section", [.class("card"), .id(id)],
            [
                .tag("h2", [], .tag("a", [.href(address)], .text(name))),
                .tag("p", [.class("figure")], figure),
            ] + (detail.map { [.tag("p", [], $0)] } ?? []) + [.tag("p", [.class("quiet")], Figure.day(day))]
                + (trend?.markup ?? []))
    }
}
