import HealthSyncDomain
import HealthSyncEngine

/// The days that are not derived from the stored samples, with the command that updates them.
struct OutOfDateView: JSONEncodable {
    static let command = "healthsync historical"

    let days: OutOfDateDays

    /// `21 days are out of date, 2026-03-11 to 2026-03-31`; `nil` without any.
    var extent: String? { extent(Figures.grouped(days.count)) { "\($0)" } }

    /// The extent with the command.
    var text: String? { extent.map { "\($0); run `\(Self.command)`" } }

    /// The extent with the command, as a sentence for a page. Readers of pages group numbers in different ways.
    var sentence: String? { extent("\(days.count)", \.dateInWords).map { "\($0): run \(Self.command)." } }

    private func extent(_ number: String, _ date: (CalendarDay) -> String) -> String? {
        days.extent.map { extent in
            let count = days.count == 1 ? "1 day is out of date" : "\(number) days are out of date"
            return "\(count), \(date(extent.first))" + (extent.count == 1 ? "" : " to \(date(extent.last))")
        }
    }

    var lines: [String] { text.map { [$0] } ?? [] }

    var json: JSONValue {
        [
            "days": days.count, "first": days.extent.map { "\($0.first)" },
            "last": days.extent.map { "\($0.last)" },
            "command": days.extent.map { _ in Self.command },
        ]
    }

    var status: ExitStatus { days.count == 0 ? .done : .partial }
}
