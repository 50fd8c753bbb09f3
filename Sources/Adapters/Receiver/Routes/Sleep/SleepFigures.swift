import HealthSyncDomain

/// The figures of a session on the wire, in minutes.
enum SleepFigures {
    /// The names of the members, in the order of `SleepDurations.sentFigures`.
    static let names: [StaticString] = [
        "time_in_bed_minutes", "total_sleep_minutes", "awake_minutes", "rem_minutes", "core_minutes", "deep_minutes",
        "sleep_efficiency_percentage",
    ]

    static func write(_ durations: SleepDurations, to writer: inout JSONWriter) {
        for (name, value) in zip(names, durations.sentFigures) {
            writer.name(name)
            writer.number(value)
        }
    }
}
