import HealthSyncDomain
import HealthSyncEngine

/// What became of one source's records.
struct IngestView {
    let report: IngestReport
    let clock: DayClock

    var lines: [String] {
        let name = report.locations.joined(separator: ", ") + " (\(report.provider))"
        if report.isUnchanged { return [name, "  unchanged since it was last read"] }
        var lines = [name, "  " + sum]
        if report.deleted > 0 {
            lines.append("  \(Figures.count(report.deleted, "sample")) deleted: the source no longer holds them")
        }
        if report.superseded > 0 {
            // So many that they were deleted with another phone's export rather than one by one.
            let isMuch = report.superseded * 5 > report.reading.recordsRead
            lines.append(
                "  \(Figures.count(report.superseded, "sample")) left out: a newer export, read before, no longer "
                    + "holds them" + (isMuch ? "; if this is another phone's, --force keeps them beside it" : ""))
        }
        if report.besideNewer > 0 {
            lines.append(
                "  \(Figures.count(report.besideNewer, "sample")) kept beside another export that lacks them: they are "
                    + "more than a fifth, so probably another phone's")
        }
        if !report.isDateBelieved {
            lines.append(
                "  its date is in the future and not believed, so that nothing is deleted by it: set the clock of the "
                    + "phone, or of this machine, and export again")
        }
        if let date = report.reading.exportDate { lines.append("  exported \(Figures.wallClock(date, clock))") }
        return lines + ReadingView(reading: report.reading).lines.map { "  " + $0 }
    }

    /// The account: nothing that was read is missing from it.
    private var sum: String {
        let reading = report.reading
        var parts = [
            "\(Figures.grouped(report.stored)) stored", "\(Figures.grouped(report.alreadyKnown)) already known",
            "\(Figures.grouped(reading.refused.values.reduce(0, +))) refused",
        ]
        if reading.notSelected > 0 { parts.append("\(Figures.grouped(reading.notSelected)) of other types") }
        return "\(Figures.count(reading.recordsRead, "record")) read = " + parts.joined(separator: " + ")
    }

    var json: JSONValue {
        let account: JSONValue = [
            "locations": .array(report.locations.map(JSONValue.string)), "provider": .string(report.provider),
            "unchanged": .bool(report.isUnchanged), "stored": .count(report.stored),
            "alreadyKnown": .count(report.alreadyKnown), "deleted": .count(report.deleted),
            "superseded": .count(report.superseded), "keptBesideNewer": .count(report.besideNewer),
            "exportDateBelieved": .bool(report.isDateBelieved),
        ]
        guard case .object(let members) = account, case .object(let reading) = ReadingView(reading: report.reading).json
        else { return account }
        return .object(members + reading)
    }
}
