import HealthSyncDomain
import HealthSyncPorts

/// The hours of a day that a form selects.
struct HourChoice {
    let day: CalendarDay
    /// The hours as `DayHours` names them.
    let hours: [String]

    init(_ request: WebRequest) throws(SyncFailure) {
        guard let day = request.fields("day").first.flatMap({ CalendarDay($0) }) else {
            throw SyncFailure(.usage, subject: "journal", reason: "no day is selected", advice: "select a day")
        }
        hours = request.fields("hour")
        guard !hours.isEmpty else {
            throw SyncFailure(
                .usage, subject: "journal", reason: "no hours are selected", advice: "select hours")
        }
        self.day = day
    }

    /// Such as "4 hours".
    var count: String { CountText.of(hours.count, "hour") }

    /// The ranges that the actions expect.
    var text: String { hours.joined(separator: ",") }
}
