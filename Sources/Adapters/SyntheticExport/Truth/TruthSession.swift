import HealthSyncDomain

/// A night or a nap that a consumer of the export must find.
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

    /// Creates the sleep of `parts`, which ascend. The time between them is neither awake nor in bed.
    init(_ parts: [SleepStretch], source: String, clock: DayClock) {
        self.source = source
        start = Self.time(parts.first?.span.start ?? 0, clock)
        end = Self.time(parts.last?.span.end ?? 0, clock)
        var minutes: [String: Double] = [:]
        for stage in SleepStage.allCases {
            let seconds = parts.reduce(0) { $0 + $1.seconds(of: stage) }
            if seconds > 0 { minutes[stage.rawValue] = Double(seconds) / 60 }
        }
        stageMinutes = minutes
        let (asleep, inBed) = (parts.reduce(0) { $0 + $1.secondsAsleep }, parts.reduce(0) { $0 + $1.span.seconds })
        totalSleepMinutes = Double(asleep) / 60
        timeInBedMinutes = Double(inBed) / 60
        awakeMinutes = minutes[SleepStage.awake.rawValue] ?? 0
        efficiency = Double(asleep) / Double(inBed) * 100
    }

    private static func time(_ second: Int64, _ clock: DayClock) -> String {
        let instant = Instant(seconds: second)
        return RFC3339.string(instant, offsetSeconds: clock.offsetSeconds(at: instant))
    }
}
