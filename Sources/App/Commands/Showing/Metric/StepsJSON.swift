import HealthSyncDomain

extension MetricView {
    /// The document of `healthsync steps`, whose members are named after steps.
    var stepsJSON: JSONValue {
        [
            "zone": .string(clock.home.identifier), "days": .days(series.days), "by": .string(grain.word),
            "totalSteps": .number(series.figures?.quantity ?? 0),
            "averageStepsPerDay": .optional(series.averagePerDay), "recordedDays": .count(series.recorded.count),
            "best": series.highest.map {
                ["day": .string("\($0.day)"), "steps": .number($0.figures.quantity)]
            } ?? .null,
            "periods": .array(
                periods { figures in
                    [JSONValue.Member(name: "steps", value: .optional(figures?.quantity))]
                } members: { period in
                    [
                        JSONValue.Member(name: "steps", value: .optional(period.figures?.quantity)),
                        JSONValue.Member(name: "averageStepsPerDay", value: .optional(period.averagePerDay)),
                        JSONValue.Member(
                            name: "origins",
                            value: .array(
                                period.origins.map {
                                    ["source": .string($0.sourceName), "steps": .number($0.quantity)]
                                })),
                    ]
                }),
        ]
    }
}
