import HealthSyncDomain

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
