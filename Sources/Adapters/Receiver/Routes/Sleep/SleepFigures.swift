import HealthSyncDomain

/// The figures of a session on the wire, in minutes.
enum SleepFigures {
    static func write(_ durations: SleepDurations, to writer: inout JSONWriter) {
        for (name, value) in [
            ("time_in_bed_minutes" as StaticString, durations.inBed), ("total_sleep_minutes", durations.asleep),
            ("awake_minutes", durations.awake), ("rem_minutes", durations.rem), ("core_minutes", durations.core),
            ("deep_minutes", durations.deep),
        ] {
            writer.name(name)
            writer.number(rounded(Double(value) / 60_000))
        }
        writer.name("sleep_efficiency_percentage")
        writer.number(rounded(durations.efficiencyPercentage))
    }

    /// To four digits after the point.
    static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
