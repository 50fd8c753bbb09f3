import HealthSyncDomain
import HealthSyncEngine

/// The days that are not derived from the stored samples, with the command that updates them.
struct OutOfDateView: JSONEncodable {
    static let command = "healthsync historical"

    let days: OutOfDateDays
    /// The command that derives them.
    var command = Self.command

    /// `21 days are out of date, 2026-03-11 to 2026-03-31`; `nil` without any.
    var extent: String? {
        days.extent.map { extent in
            let range = extent.count == 1 ? "\(extent.first)" : "\(extent.first) to \(extent.last)"
            return (days.count == 1 ? "1 day is" : "\(Figures.grouped(days.count)) days are") + " out of date, \(range)"
        }
    }

    /// The extent with the command.
    var text: String? { extent.map { "\($0); run `\(command)`" } }

    var lines: [String] { text.map { [$0] } ?? [] }

    var json: JSONValue {
        [
            "dayCount": days.count, "days": days.count, "first": days.extent.map { "\($0.first)" },
            "last": days.extent.map { "\($0.last)" },
            "command": days.extent.map { _ in command },
        ]
    }

    var status: ExitStatus { days.count == 0 ? .done : .partial }
}
