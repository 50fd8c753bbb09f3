import HealthSyncDomain

extension MetricView {
    /// Returns the document of `healthsync metric`; `outOfDate` is that of `status`.
    func json(outOfDate: JSONValue) -> JSONValue {
        let highest: JSONValue =
            series.definition.kind == .sum
            ? series.highest.map {
                ["day": .string("\($0.day)"), "quantity": .number($0.figures.quantity)]
            } ?? .null : .null
        return .object(
            JSONValue.definition(series.definition) + [
                .init(name: "zone", value: .string(clock.home.identifier)),
                .init(name: "days", value: .days(series.days)), .init(name: "by", value: .string(grain.word)),
                .init(name: "recordedDays", value: .count(series.recorded.count)),
            ] + JSONValue.figures(series.figures) + [
                .init(name: "averagePerDay", value: .optional(series.averagePerDay)),
                .init(name: "highest", value: highest), .init(name: "outOfDate", value: outOfDate),
                .init(name: "periods", value: .array(periods(hourMembers: JSONValue.figures, members: Self.members))),
            ])
    }

    /// Returns the periods, each with `members`; by hour each day also has its `hours`, each with `hourMembers`. Empty
    /// if nothing is recorded.
    func periods(
        hourMembers: (ProgressFigures?) -> [JSONValue.Member], members: (MetricPeriod) -> [JSONValue.Member]
    ) -> [JSONValue] {
        guard !series.recorded.isEmpty else { return [] }
        let recorded = Dictionary(series.recorded.map { ($0.day, $0) }) { first, _ in first }
        return JSONValue.periods(by: grain, series.periods) { period in
            JSONValue.period(period.period, days: period.days, recordedDays: period.recordedDays) + members(period)
        } hours: { period in
            guard let day = recorded[period.days.first] else { return [] }
            return HourSlot.slots(of: day.day, measured: day.hours, clock: clock, kind: series.definition.kind).map {
                .object([JSONValue.Member(name: "start", value: .hour($0))] + hourMembers($0.figures))
            }
        }
    }

    private static func members(_ period: MetricPeriod) -> [JSONValue.Member] {
        JSONValue.figures(period.figures) + [
            .init(name: "averagePerDay", value: .optional(period.averagePerDay)),
            .init(
                name: "origins",
                value: .array(
                    period.origins.map { ["source": .string($0.sourceName), "quantity": .number($0.quantity)] })),
        ]
    }
}

extension JSONValue {
    /// Returns `metric`, `title`, `unit` and `kind`.
    static func definition(_ definition: MetricDefinition) -> [Member] {
        [
            Member(name: "metric", value: .string(definition.metric.rawValue)),
            Member(name: "title", value: .string(definition.title)),
            Member(name: "unit", value: .string(definition.unit)),
            Member(name: "kind", value: .string(definition.kind.rawValue)),
        ]
    }

    /// Returns `quantity`, `minimum`, `maximum`, `count` and `heldMinutes`, each `null` if unknown.
    static func figures(_ figures: ProgressFigures?) -> [Member] {
        [
            Member(name: "quantity", value: .optional(figures?.quantity)),
            Member(name: "minimum", value: .optional(figures?.minimum)),
            Member(name: "maximum", value: .optional(figures?.maximum)),
            Member(name: "count", value: figures?.count.map(JSONValue.count) ?? .null),
            Member(
                name: "heldMinutes", value: .optional(figures?.heldMilliseconds.map { Double($0) / 60_000 })),
        ]
    }
}
