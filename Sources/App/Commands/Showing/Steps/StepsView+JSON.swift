import HealthSyncDomain

extension StepsView {
    var json: JSONValue {
        [
            "zone": .string(clock.home.identifier), "days": .days(overview.days), "by": .string(grain.word),
            "totalSteps": .number(overview.total), "averageStepsPerDay": .optional(overview.averagePerDay),
            "recordedDays": .count(overview.recorded.count),
            "best": overview.best.map {
                ["day": .string("\($0.day)"), "steps": .number($0.figures.quantity)]
            } ?? .null,
            "periods": .array(overview.recorded.isEmpty ? [] : periods),
        ]
    }

    private var periods: [JSONValue] {
        let recorded = Dictionary(overview.recorded.map { ($0.day, $0) }) { first, _ in first }
        return JSONValue.periods(
            by: grain, overview.periods, members: Self.members,
            hours: { recorded[$0.days.first].map(hours) ?? [] })
    }

    private func hours(of day: DailyProgress) -> [JSONValue] {
        HourSlot.slots(of: day.day, measured: day.hours, clock: clock).map { slot in
            ["start": .hour(slot), "steps": .optional(slot.figures?.quantity)]
        }
    }

    private static func members(_ period: StepsPeriod) -> [JSONValue.Member] {
        JSONValue.period(period.period, days: period.days, recordedDays: period.recordedDays) + [
            JSONValue.Member(name: "steps", value: .optional(period.total)),
            JSONValue.Member(name: "averageStepsPerDay", value: .optional(period.averagePerDay)),
            JSONValue.Member(
                name: "origins",
                value: .array(
                    period.origins.map { ["source": .string($0.sourceName), "steps": .number($0.quantity)] })),
        ]
    }
}
