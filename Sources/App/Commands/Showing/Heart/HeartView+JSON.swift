import HealthSyncDomain

extension HeartView {
    var json: JSONValue {
        let head: [JSONValue.Member] = [
            JSONValue.Member(name: "zone", value: .string(clock.home.identifier)),
            JSONValue.Member(name: "days", value: .days(overview.days)),
            JSONValue.Member(name: "by", value: .string(grain.word)),
            JSONValue.Member(name: "recordedDays", value: .count(overview.recorded.count)),
        ]
        return .object(
            head + [Self.resting(overview.averageResting)] + Self.rates(overview.figures) + [
                JSONValue.Member(name: "periods", value: .array(overview.recorded.isEmpty ? [] : periods))
            ])
    }

    private var periods: [JSONValue] {
        let recorded = Dictionary(overview.recorded.map { ($0.day, $0) }) { first, _ in first }
        return JSONValue.periods(
            by: grain, overview.periods, members: Self.members,
            hours: { recorded[$0.days.first].map(hours) ?? [] })
    }

    private func hours(of day: HeartDay) -> [JSONValue] {
        HourSlot.slots(of: day.day, measured: day.hours, clock: clock, kind: .mean).map { slot in
            .object([JSONValue.Member(name: "start", value: .hour(slot))] + Self.rates(slot.figures))
        }
    }

    private static func members(_ period: HeartPeriod) -> [JSONValue.Member] {
        JSONValue.period(period.period, days: period.days, recordedDays: period.recordedDays)
            + [resting(period.averageResting)] + rates(period.figures)
    }

    private static func resting(_ rate: Double?) -> JSONValue.Member {
        JSONValue.Member(name: "restingBeatsPerMinute", value: .optional(rate))
    }

    private static func rates(_ figures: ProgressFigures?) -> [JSONValue.Member] {
        [
            JSONValue.Member(name: "minimumBeatsPerMinute", value: .optional(figures?.minimum)),
            JSONValue.Member(name: "maximumBeatsPerMinute", value: .optional(figures?.maximum)),
            JSONValue.Member(name: "meanBeatsPerMinute", value: .optional(figures?.quantity)),
            JSONValue.Member(name: "measurementCount", value: figures?.count.map(JSONValue.count) ?? .null),
            JSONValue.Member(
                name: "heldMinutes", value: .optional(figures?.heldMilliseconds.map { Double($0) / 60_000 })),
        ]
    }
}
