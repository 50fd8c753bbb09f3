import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync heart`
enum HeartCommand: Command {
    static let declaration = CommandDeclaration(
        "heart", "Show resting heart rate, range and mean",
        discussion: [
            "The resting heart rate is the one that the device reports, over several days the mean of the days. The mean is "
                + "weighted by time: a measurement counts until the next one, at most for heartRate.holdMinutes.",
            "Over two years or more, such as --by year, the resting heart rate is also stated as falling or rising.",
        ],
        arguments: [ShownDays.daysArgument], options: ShownDays.rangeOptions + [ShownDays.grainOption],
        examples: ["heart", "heart today", "heart --last 1y --by month", "heart --by year"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let asked = try ShownDays(context.parsed, today: today)
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.records
            let shown = asked.limited(to: try await repository.recordedDays(), today: today)
            let rates = try await repository.figures(
                of: .heartRate, days: shown.days, withHours: shown.grain == .hour)
            let resting = try await repository.dailyFigures(of: .restingHeartRate, days: shown.days)
            let latest = [
                try await repository.latestDay(of: .heartRate, through: nil),
                try await repository.latestDay(of: .restingHeartRate, through: nil),
            ]
            let view = HeartView(
                overview: HeartOverview(days: shown.days, progress: rates + resting), grain: shown.grain,
                clock: settings.clock, latest: latest.compactMap { $0 }.max())
            context.show(charts: view.lines(context.style), json: view.json)
            return .done
        }
    }
}

/// Heart rate over a range of days, per minute.
private struct HeartView {
    let overview: HeartOverview
    let grain: ShownDays.Grain
    let clock: DayClock
    /// The latest day with heart rate; `nil` if nothing is recorded.
    let latest: CalendarDay?

    private static let text = FigureText(definition: MetricDefinition(.heartRate, unit: "count/min", kind: .mean))

    /// Returns the output for a terminal or a file.
    func lines(_ style: OutputStyle) -> [String] {
        guard !overview.recorded.isEmpty else {
            return style.wrapped(DayText.nothing("heart rate", on: overview.days, latest: latest))
        }
        switch grain {
        case .hour:
            return Array(overview.recorded.map { hours(of: $0, style) }.joined(separator: [""]))
        case .period(let unit):
            let rows = overview.periods(unit).map { period in
                RangeTable.Row(
                    label: DayText.label(period.period), figures: period.figures, first: period.averageResting)
            }
            return [DayText.range(overview.days) + Self.text.caption]
                + RangeTable(text: Self.text, head: unit.rawValue, firstName: "resting").lines(rows, style) + [""]
                + Self.headline(overview.figures, resting: overview.averageResting) + trend
        }
    }

    /// Whether the resting heart rate falls or rises, if the days are enough to tell.
    private var trend: [String] {
        guard let change = overview.restingChangePerYear else { return [] }
        let size = Figures.fixed(change.magnitude, places: 1)
        let word = size == "0.0" ? "steady" : change < 0 ? "falling by" : "rising by"
        return ["resting heart rate: " + (size == "0.0" ? word : "\(word) \(size)/min a year")]
    }

    private func hours(of day: HeartDay, _ style: OutputStyle) -> [String] {
        let slots = HourSlot.slots(of: day.day, measured: day.hours, clock: clock, kind: .mean)
        let rows = zip(slots, ClockTimes.of(slots)).map { RangeTable.Row(label: $1, figures: $0.figures) }
        return [day.day.nameAndDate + Self.text.caption] + Self.headline(day.figures, resting: day.resting) + [""]
            + RangeTable(text: Self.text, head: "hour").lines(rows, style)
            + (day.hours.contains { $0.figures.isMeanOutsideRange }
                ? [""] + style.wrapped(ProgressFigures.heldNote) : [])
    }

    private static func headline(_ figures: ProgressFigures?, resting: Double?) -> [String] {
        RangeTable.headline(
            figures, text, first: resting.map { [(name: "resting", text: text.quantity($0))] } ?? [])
    }
}

extension HeartView: JSONEncodable {
    var json: JSONValue {
        .joined(
            [
                "zone": clock.home.identifier,
                "days": overview.days,
                "by": grain.word,
                "recordedDays": overview.recorded.count,
            ], Self.resting(overview.averageResting), ["restingChangePerYear": overview.restingChangePerYear],
            Self.rates(overview.figures),
            ["periods": overview.recorded.isEmpty ? [] : periods])
    }

    private var periods: [JSONValue] {
        let recorded = Dictionary(overview.recorded.map { ($0.day, $0) }) { first, _ in first }
        return JSONValue.periods(
            by: grain, overview.periods, members: Self.members,
            hours: { recorded[$0.days.first].map(hours) ?? [] })
    }

    private func hours(of day: HeartDay) -> [JSONValue] {
        HourSlot.slots(of: day.day, measured: day.hours, clock: clock, kind: .mean).map { slot in
            .joined(["start": JSONValue.hour(slot)], Self.rates(slot.figures))
        }
    }

    private static func members(_ period: HeartPeriod) -> JSONValue {
        .joined(
            .period(period.period, days: period.days, recordedDays: period.recordedDays),
            resting(period.averageResting), rates(period.figures))
    }

    private static func resting(_ rate: Double?) -> JSONValue {
        ["restingBeatsPerMinute": rate]
    }

    private static func rates(_ figures: ProgressFigures?) -> JSONValue {
        [
            "minimumBeatsPerMinute": figures?.minimum,
            "maximumBeatsPerMinute": figures?.maximum,
            "meanBeatsPerMinute": figures?.quantity,
            "measurementCount": figures?.count,
            "heldMinutes": JSONValue.minutes(figures?.heldMilliseconds),
        ]
    }
}
