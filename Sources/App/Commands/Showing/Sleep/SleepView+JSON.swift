import HealthSyncDomain

extension SleepView: JSONEncodable {
    var json: JSONValue {
        [
            "zone": clock.home.identifier, "days": overview.days,
            "by": (grain.longUnit ?? .day).rawValue, "averages": overview.averages.map(Self.averages),
            "periods": (grain.longUnit.map { overview.averages(by: $0) } ?? []).map { period in
                JSONValue.joined(
                    .period(period.period, days: period.days, recordedDays: period.recordedDays),
                    ["averages": period.averages.map(Self.averages)])
            },
            "nights": overview.nights.map { night in
                [
                    "day": night.day, "main": session(night.main),
                    "additional": night.additional.map(session),
                    "others": night.others.map(session),
                ] as JSONValue
            },
            "naps": overview.naps.map(session), "otherNaps": overview.otherNaps.map(session),
        ]
    }

    private func session(_ session: SleepEpisode) -> SleepEpisodeView {
        SleepEpisodeView(sleep: session, clock: clock)
    }

    private static func averages(_ averages: SleepAverages) -> JSONValue {
        [
            "nights": averages.nights, "timeInBedMinutes": JSONValue.minutes(averages.inBed),
            "totalSleepMinutes": JSONValue.minutes(averages.asleep),
            "sleepEfficiencyPercentage": averages.efficiencyPercentage,
            "stages": averages.stages.map { stages in
                [
                    "nights": stages.nights, "awakeMinutes": JSONValue.minutes(stages.awake),
                    "remMinutes": JSONValue.minutes(stages.rem), "coreMinutes": JSONValue.minutes(stages.core),
                    "deepMinutes": JSONValue.minutes(stages.deep),
                ] as JSONValue
            },
        ]
    }
}
