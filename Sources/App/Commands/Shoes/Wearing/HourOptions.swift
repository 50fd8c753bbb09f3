import HealthSyncDomain

/// The options of `assign` and `unassign` that select hours.
enum HourOptions {
    static let options: [OptionDeclaration] = [
        .value("day", "DAY", DayText.advice),
        .value("hours", "HOURS", "Select these hours and ranges, separated by commas, such as 8-11,17"),
    ]
    static let discussion = [
        "8-11,17 selects five hours: 8, 9, 10, 11 and 17. When clocks go back, the repeated hour is named 2a and 2b; "
            + "`journal DAY` shows the names. The current hour ends now."
    ]

    /// Returns day and hours. Both options are required, so that no hours are overwritten by accident.
    static func values(
        _ parsed: ParsedCommand, today: CalendarDay
    ) throws(SyncFailure) -> (day: CalendarDay, hours: String) {
        guard let day = parsed.text("day"), let hours = parsed.text("hours") else {
            throw .usage(
                parsed.path.joined(separator: " "), "requires --day and --hours",
                advice: "for example --day today --hours 8-11,17")
        }
        return (try DayText.day(day, today: today), hours)
    }
}
