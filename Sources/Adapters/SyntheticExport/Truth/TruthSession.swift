import HealthSyncDomain

/// A sleep session that a consumer of the export must find.
struct TruthSession: Sendable, Encodable {
    let source: String
    /// RFC 3339 with the UTC offset of the user's time zone.
    let start: String
    let end: String
    /// The minutes of each stage by its JSON name; stages that do not occur are absent.
    let stageMinutes: [String: Double]
    let totalSleepMinutes: Double
    let timeInBedMinutes: Double
    let awakeMinutes: Double
    let efficiency: Double

    init(_ stretch: SleepStretch, source: String, clock: DayClock) {
        let span = stretch.span
        self.source = source
        start = Self.time(span.start, clock)
        end = Self.time(span.end, clock)
        var minutes: [String: Double] = [:]
        for stage in SleepStage.allCases {
            let seconds = stretch.seconds(of: stage)
            if seconds > 0 { minutes[stage.rawValue] = Double(seconds) / 60 }
        }
        stageMinutes = minutes
        totalSleepMinutes = Double(stretch.secondsAsleep) / 60
        timeInBedMinutes = Double(span.seconds) / 60
        awakeMinutes = Double(stretch.seconds(of: .awake)) / 60
        efficiency = Double(stretch.secondsAsleep) / Double(span.seconds) * 100
    }

    private static func time(_ second: Int64, _ clock: DayClock) -> String {
        let instant = Instant(seconds: second)
        return RFC3339.string(instant, offsetSeconds: clock.offsetSeconds(at: instant))
    }
}
