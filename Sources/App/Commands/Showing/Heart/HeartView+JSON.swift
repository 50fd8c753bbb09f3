import HealthSyncDomain

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
