import HealthSyncDomain

extension MetricView {
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
}
