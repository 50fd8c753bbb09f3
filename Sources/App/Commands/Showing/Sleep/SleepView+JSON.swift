import HealthSyncDomain

extension SleepView {
    var json: JSONValue {
        [
            "zone": .string(clock.home.identifier), "days": .days(overview.days),
            "averages": overview.averages.map(Self.averages) ?? .null,
            "nights": .array(
                overview.nights.map { night in
                    [
                        "day": .string("\(night.day)"), "main": session(night.main),
                        "additional": .array(night.additional.map(session)),
                        "others": .array(night.others.map(session)),
                    ]
                }),
            "naps": .array(overview.naps.map(session)), "otherNaps": .array(overview.otherNaps.map(session)),
        ]
    }

    private func session(_ session: SleepSession) -> JSONValue {
        SleepSessionView(session: session, clock: clock).json
    }

    private static func averages(_ averages: SleepAverages) -> JSONValue {
        [
            "nights": .count(averages.nights), "timeInBedMinutes": .minutes(averages.inBed),
            "totalSleepMinutes": .minutes(averages.asleep),
            "sleepEfficiencyPercentage": .number(averages.efficiencyPercentage),
            "stages": averages.stages.map { stages in
                [
                    "nights": .count(stages.nights), "awakeMinutes": .minutes(stages.awake),
                    "remMinutes": .minutes(stages.rem), "coreMinutes": .minutes(stages.core),
                    "deepMinutes": .minutes(stages.deep),
                ]
            } ?? .null,
        ]
    }
}
