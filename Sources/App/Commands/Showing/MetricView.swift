import HealthSyncDomain

/// The figures of one metric over a range of days.
struct MetricView {
    let series: MetricSeries
    let grain: ShownDays.Grain
    let clock: DayClock
    /// The latest day with figures; `nil` if nothing is recorded.
    private let latest: CalendarDay?
    /// What the user can do if nothing is recorded.
    private let remedy: String?
    /// On which weekday and in which hour the figures are largest; `nil` for metrics that do not add up.
    private let habits: MetricHabits?

    init(
        series: MetricSeries, grain: ShownDays.Grain, clock: DayClock, latest: CalendarDay?, remedy: String? = nil
    ) {
        self.series = series
        self.grain = grain
        self.clock = clock
        self.latest = latest
        self.remedy = remedy
        habits = series.definition.kind == .sum ? MetricHabits(of: series.averaged, clock: clock) : nil
    }

    private var definition: MetricDefinition { series.definition }
    private var text: FigureText { FigureText(definition: definition) }

    /// Returns the output for a terminal or a file; `showsOrigins` adds the figure of each source alone.
    func lines(_ style: OutputStyle, showsOrigins: Bool) -> [String] {
        guard !series.recorded.isEmpty else {
            return style.wrapped(DayText.nothing(definition.label, on: series.days, latest: latest, remedy: remedy))
        }
        switch grain {
        case .hour:
            return Array(series.recorded.map { hours(of: $0, style, showsOrigins) }.joined(separator: [""]))
        case .period(let unit):
            let periods = series.periods(unit)
            let table =
                definition.kind == .sum
                ? sums(periods, unit, style, showsOrigins) : ranges(periods, unit, style, showsOrigins)
            return [DayText.range(series.days) + (definition.kind == .sum ? "" : text.caption)] + table + [""] + totals
        }
    }

    private func sums(
        _ periods: [MetricPeriod], _ unit: CalendarPeriod.Unit, _ style: OutputStyle, _ showsOrigins: Bool
    ) -> [String] {
        var table = ChartTable(
            heads: [(unit.rawValue, .left), (definition.figureName, .right)]
                + (unit == .day ? [] : [("a day", .right), ("days", .right)]), nameColumn: 0, leastName: 14)
        for period in periods {
            let average = unit == .day ? [] : [text.number(period.averagePerDay), "\(period.recordedDays)"]
            let total = period.figures?.quantity
            // Totals of periods with fewer days, such as the current month, would look like a decline.
            let bar = unit == .day ? total : period.averagePerDay ?? total.map { $0 / Double(period.recordedDays) }
            table.add([DayText.label(period.period), text.number(total)] + average, value: bar)
            for origin in showsOrigins ? period.origins : [] {
                // In proportion to the bar of all sources.
                let share = total.map { $0 == 0 ? 0 : origin.quantity / $0 }
                let length = bar.flatMap { bar in share.map { $0 * bar } }
                table.add([Self.name(origin, style), text.number(origin.quantity)], value: length)
            }
        }
        return table.lines(style)
    }

    private func ranges(
        _ periods: [MetricPeriod], _ unit: CalendarPeriod.Unit, _ style: OutputStyle, _ showsOrigins: Bool
    ) -> [String] {
        let rows = periods.flatMap { period in
            [RangeTable.Row(label: DayText.label(period.period), figures: period.figures)]
                + (showsOrigins ? period.origins : []).map { Self.row($0, style) }
        }
        return RangeTable(text: text, head: unit.rawValue).lines(rows, style)
    }

    private func hours(of day: DailyProgress, _ style: OutputStyle, _ showsOrigins: Bool) -> [String] {
        let slots = HourSlot.slots(of: day.day, measured: day.hours, clock: clock, kind: definition.kind)
        let labels = ClockTimes.of(slots)
        let origins = showsOrigins ? day.origins : []
        guard definition.kind == .sum else {
            let rows = zip(slots, labels).map { RangeTable.Row(label: $1, figures: $0.figures) }
            let table = day.hours.isEmpty ? [] : [""] + RangeTable(text: text, head: "hour").lines(rows, style)
            var alone = TextTable([.left, .right])
            for origin in origins { alone.add(Self.name(origin, style), text.number(origin.quantity)) }
            return [day.day.nameAndDate + text.caption] + RangeTable.headline(day.figures, text) + table + alone.lines()
        }
        var table = ChartTable(
            heads: [("hour", .left), (definition.figureName, .right)], nameColumn: 0, leastName: 14)
        for (slot, label) in zip(slots, labels) {
            table.add([label, text.number(slot.figures?.quantity)], value: slot.figures?.quantity)
        }
        var totals = TextTable([.left, .right])
        totals.add("total", text.quantity(day.figures.quantity))
        for origin in origins { totals.add(Self.name(origin, style), text.number(origin.quantity)) }
        return [day.day.nameAndDate] + table.lines(style) + totals.lines()
    }

    private var totals: [String] {
        guard definition.kind == .sum else { return RangeTable.headline(series.figures, text) }
        var table = TextTable([.left, .left])
        let days = Figures.count(series.recorded.count, "day")
        table.add("total", "\(text.quantity(series.figures?.quantity)) on \(days)")
        table.add(
            "a day", text.quantity(series.averagePerDay) + (series.averagesLackToday ? ", without today" : ""))
        if let highest = series.highest {
            table.add("most", "\(text.quantity(highest.figures.quantity)) on \(highest.day.nameAndDate)")
        }
        if let weekday = habits?.weekday {
            table.add("best weekday", "\(weekday.name), \(text.quantity(weekday.average)) a day")
        }
        if let hour = habits?.hour { table.add("best hour", "\(hour.name), \(text.quantity(hour.average)) a day") }
        return table.lines()
    }

    private static func row(_ origin: OriginProgress, _ style: OutputStyle) -> RangeTable.Row {
        RangeTable.Row(label: name(origin, style), figures: ProgressFigures(quantity: origin.quantity))
    }

    private static func name(_ origin: OriginProgress, _ style: OutputStyle) -> String {
        let name = UntrustedText.escaped(origin.sourceName.isEmpty ? "unnamed" : origin.sourceName)
        let columns = style.width.map { max(8, min(24, $0 - 20)) } ?? 40
        return "  " + DisplayText.fitted(name, columns: columns)
    }
}

extension MetricView {
    /// Returns the document of `healthsync metric`; `outOfDate` is that of `status`.
    func json(outOfDate: JSONValue) -> JSONValue {
        let highest = series.definition.kind == .sum ? series.highest : nil
        return .joined(
            .definition(series.definition),
            [
                "zone": clock.home.identifier,
                "days": series.days, "by": grain.word,
                "recordedDays": series.recorded.count,
            ], .figures(series.figures),
            [
                "averagePerDay": series.averagePerDay,
                "highest": highest.map { ["day": $0.day, "quantity": $0.figures.quantity] as JSONValue },
                "bestWeekday": habits?.weekday, "bestHour": habits?.hour,
                "outOfDate": outOfDate,
                "periods": periods(hourMembers: JSONValue.figures, members: Self.members),
            ])
    }

    /// The document of `healthsync steps`, whose members are named after steps.
    var stepsJSON: JSONValue {
        [
            "zone": clock.home.identifier, "days": series.days, "by": grain.word,
            "totalSteps": series.figures?.quantity ?? 0,
            "averageStepsPerDay": series.averagePerDay, "recordedDays": series.recorded.count,
            "best": series.highest.map {
                ["day": $0.day, "steps": $0.figures.quantity] as JSONValue
            },
            "bestWeekday": habits?.weekday, "bestHour": habits?.hour,
            "periods": periods { figures in
                ["steps": figures?.quantity]
            } members: { period in
                [
                    "steps": period.figures?.quantity,
                    "averageStepsPerDay": period.averagePerDay,
                    "origins": period.origins.map {
                        ["source": $0.sourceName, "steps": $0.quantity] as JSONValue
                    },
                ]
            },
        ]
    }

    /// Returns the periods, each with `members`; by hour each day also has its `hours`, each with `hourMembers`. Empty
    /// if nothing is recorded.
    func periods(
        hourMembers: (ProgressFigures?) -> JSONValue, members: (MetricPeriod) -> JSONValue
    ) -> [JSONValue] {
        guard !series.recorded.isEmpty else { return [] }
        let recorded = Dictionary(series.recorded.map { ($0.day, $0) }) { first, _ in first }
        return JSONValue.periods(by: grain, series.periods) { period in
            .joined(
                .period(period.period, days: period.days, recordedDays: period.recordedDays), members(period))
        } hours: { period in
            guard let day = recorded[period.days.first] else { return [] }
            return HourSlot.slots(of: day.day, measured: day.hours, clock: clock, kind: series.definition.kind).map {
                .joined(["start": JSONValue.hour($0)], hourMembers($0.figures))
            }
        }
    }

    private static func members(_ period: MetricPeriod) -> JSONValue {
        .joined(
            .figures(period.figures),
            [
                "averagePerDay": period.averagePerDay,
                "origins": period.origins.map { ["source": $0.sourceName, "quantity": $0.quantity] as JSONValue },
            ])
    }
}

extension JSONValue {
    /// Returns `metric`, `title`, `unit` and `kind`.
    static func definition(_ definition: MetricDefinition) -> JSONValue {
        [
            "metric": definition.metric.rawValue,
            "title": definition.title,
            "unit": definition.unit,
            "kind": definition.kind.rawValue,
        ]
    }

    /// Returns `quantity`, `minimum`, `maximum`, `count` and `heldMinutes`, each `null` if unknown.
    static func figures(_ figures: ProgressFigures?) -> JSONValue {
        [
            "quantity": figures?.quantity,
            "minimum": figures?.minimum,
            "maximum": figures?.maximum,
            "count": figures?.count,
            "heldMinutes": JSONValue.minutes(figures?.heldMilliseconds),
        ]
    }
}

extension MetricHabits.Weekday: JSONEncodable {
    package var json: JSONValue { ["weekday": name, "isoWeekday": isoWeekday, "averagePerDay": average] }
}

extension MetricHabits.Hour: JSONEncodable {
    /// `17:00 to 18:00`.
    var name: String { "\(Self.clock(hour)) to \(Self.clock(hour + 1))" }

    package var json: JSONValue { ["hour": hour, "averagePerDay": average] }

    private static func clock(_ hour: Int) -> String { (hour < 10 ? "0" : "") + "\(hour):00" }
}
