import HealthSyncDomain
import HealthSyncEngine

/// The result of importing one source.
struct IngestView: JSONEncodable {
    let report: IngestReport
    let clock: DayClock

    var lines: [String] {
        let name = report.locations.joined(separator: ", ") + " (\(report.provider))"
        if report.isUnchanged { return [name, "  unchanged since the last import"] }
        var lines = [name, "  " + sum]
        if report.corrected > 0 {
            let were = report.corrected == 1 ? "sample was" : "samples were"
            lines.append("  \(Figures.grouped(report.corrected)) known \(were) corrected")
        }
        if report.deleted > 0 {
            lines.append("  \(Figures.count(report.deleted, "sample")) deleted: the source no longer contains them")
        }
        if report.superseded > 0 {
            // So many deletions suggest that the newer export is of another phone.
            let isMuch = report.superseded * 5 > report.reading.recordsRead
            lines.append(
                "  \(Figures.count(report.superseded, "sample")) skipped: a newer export, imported before, lacks them"
                    + (isMuch ? "; if this export is from another phone, use --force to keep them" : ""))
        }
        if report.clipped > 0 {
            let are = report.clipped == 1 ? "sum" : "sums"
            lines.append(
                "  \(Figures.grouped(report.clipped)) smaller \(are) of finished intervals skipped: an earlier delivery "
                    + "stated more")
        }
        if report.keptDespiteNewer > 0 {
            lines.append(
                "  \(Figures.count(report.keptDespiteNewer, "sample")) kept although a newer export lacks them: they are "
                    + "more than a fifth, so this export is probably from another phone")
        }
        if !report.isDatePlausible {
            lines.append(
                "  the export date is in the future, so nothing was deleted; set the clock of the phone or of this machine "
                    + "and export again")
        }
        if let date = report.reading.exportDate { lines.append("  exported \(Figures.wallClock(date, clock))") }
        return lines + ReadingView(reading: report.reading).lines.map { "  " + $0 }
    }

    /// The counts of all samples that were read.
    private var sum: String {
        let reading = report.reading
        var parts = [
            "\(Figures.grouped(report.stored)) stored", "\(Figures.grouped(report.alreadyKnown)) already known",
            "\(Figures.grouped(reading.rejected.values.reduce(0, +))) rejected",
        ]
        if reading.notSelected > 0 {
            parts.append("\(Figures.grouped(reading.notSelected)) of other types (--types all keeps them)")
        }
        return "\(Figures.count(reading.recordsRead, "sample")) read = " + parts.joined(separator: " + ")
    }

    var json: JSONValue {
        .joined(
            [
                "locations": report.locations, "provider": report.provider,
                "unchanged": report.isUnchanged, "stored": report.stored,
                "alreadyKnown": report.alreadyKnown, "corrected": report.corrected,
                "deleted": report.deleted,
                "superseded": report.superseded, "clipped": report.clipped, "keptDespiteNewer": report.keptDespiteNewer,
                "keptBesideNewer": report.keptDespiteNewer, "exportDatePlausible": report.isDatePlausible,
                "exportDateBelieved": report.isDatePlausible,
            ], ReadingView(reading: report.reading).json)
    }
}
