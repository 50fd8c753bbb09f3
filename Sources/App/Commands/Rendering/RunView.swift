import HealthSyncDomain
package import HealthSyncEngine
import HealthSyncPorts

/// The report of a `daily` or `historical` run.
struct RunView: JSONEncodable {
    let scope: SyncRequest.Scope
    let report: RunReport
    /// The posts of phones that were imported before; `nil` without an inbox.
    var inbox: InboxIntakeView?
    /// Exports next to an imported one that were not read.
    let unread: [UnreadExport]
    let clock: DayClock
    let shoes: ShoeNames

    var lines: [String] {
        var lines = inbox.map { $0.lines.map { "inbox: \($0)" } } ?? []
        lines += report.imports.flatMap { ImportView(report: $0, clock: clock).lines }
        guard let days = report.days else {
            return lines + ["nothing to derive: no samples on these days"]
        }
        lines.append("\(days.first) to \(days.last) (\(clock.home.identifier))")
        var table = TextTable([.left, .left])
        for view in outcomes { table.add(view.metric.rawValue, view.text) }
        table.add("snapshots", report.snapshotsText)
        lines += table.lines(indentation: 2)
        lines += outcomes.compactMap(\.rejections)
        lines += report.historyChange.map { [HistoryChangeView(change: $0).text] } ?? []
        lines += outOfDate.lines
        lines += shoeView?.lines ?? []
        lines += report.layering.filter { $0.offered > 0 }.map {
            "  \($0.type.shortName): \(Figures.count($0.offered, "interval")) of \(Figures.grouped($0.intervals)) to be sent"
        }
        lines += report.delivery.map { DeliveryView(report: $0).lines } ?? []
        lines += report.omitted.map { [FurtherMetricsText.of($0)] } ?? []
        lines += report.notice.map { [$0] } ?? []
        return lines + report.problems.map(\.description)
    }

    var json: JSONValue {
        [
            "inbox": inbox, "scope": scope.rawValue, "zone": clock.home.identifier,
            "zoneNotice": report.zoneNotice,
            "historyChange": report.historyChange.map { HistoryChangeView(change: $0) },
            "days": report.days,
            "sources": report.imports.map { ImportView(report: $0, clock: clock) },
            "notRead": unread.map { UnreadExportView(export: $0, clock: clock) },
            "metrics": outcomes, "snapshots": report.sync.snapshots,
            "outOfDate": outOfDate, "shoes": shoeView,
            "layering": report.layering.map {
                [
                    "type": $0.type.rawValue, "intervals": $0.intervals,
                    "offered": $0.offered,
                ] as JSONValue
            },
            "delivery": report.delivery.map { DeliveryView(report: $0) },
            "omitted": report.omitted, "notice": report.notice,
            "problems": report.problems.map { FailureJSON.value($0, status: ExitStatus(of: $0)) },
            "exitStatus": status.rawValue,
        ]
    }

    var status: ExitStatus { ExitStatus.mostSevere([report.status, inbox?.status ?? .done]) }

    private var outOfDate: OutOfDateView { OutOfDateView(days: report.outOfDate) }

    private var shoeView: ShoeCheckView? {
        report.shoes.map { ShoeCheckView(report: $0, names: shoes, clock: clock) }
    }

    private var outcomes: [OutcomeView] {
        report.sync.outcomes.sorted { $0.key < $1.key }.map {
            OutcomeView(metric: $0.key, outcome: $0.value, skipped: report.sync.skipped[$0.key] ?? [:])
        }
    }
}

extension RunReport {
    /// The exit status of a command that made this run.
    package var status: ExitStatus {
        let metrics = sync.outcomes.map { OutcomeView(metric: $0.key, outcome: $0.value, skipped: nil).status }
        let input: ExitStatus = isInputIncomplete ? .badInput : .done
        let delivery = delivery.map { DeliveryView(report: $0).status } ?? .done
        let outOfDate = OutOfDateView(days: outOfDate).status
        return ExitStatus.mostSevere(metrics + problems.map { ExitStatus(of: $0) } + [input, delivery, outOfDate])
    }

    fileprivate var snapshotsText: String {
        sync.snapshots == 0 ? "nothing new" : "\(Figures.count(sync.snapshots, "day")) changed"
    }
}

/// The result of importing one source.
private struct ImportView: JSONEncodable {
    let report: ImportReport
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
