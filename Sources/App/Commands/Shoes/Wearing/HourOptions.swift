import HealthSyncDomain

/// The hours that `assign` and `unassign` are about.
enum HourOptions {
    static let options: [OptionDeclaration] = [
        .value("day", "DAY", DayText.advice),
        .value("hours", "HOURS", "Hours with commas between them, and stretches of them, such as 8-11,17"),
    ]
    static let discussion = [
        "8-11,17 are five hours: 8, 9, 10, 11 and 17. Where the clocks show an hour twice it is 2a and 2b; \"journal "
            + "DAY\" shows the names. Of the present hour what has passed counts."
    ]

    /// Both options; neither has a default, since hours that were not meant would be overwritten.
    static func stated(
        _ parsed: ParsedCommand, today: CalendarDay
    ) throws(SyncFailure) -> (day: CalendarDay, hours: String) {
        guard let day = parsed.text("day"), let hours = parsed.text("hours") else {
            throw .usage(
                parsed.path.joined(separator: " "), "needs both --day and --hours",
                advice: "write for example --day today --hours 8-11,17")
        }
        return (try DayText.day(day, today: today), hours)
    }
}
