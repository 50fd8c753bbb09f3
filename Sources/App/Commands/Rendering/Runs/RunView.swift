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
        lines += report.ingests.flatMap { IngestView(report: $0, clock: clock).lines }
        guard let days = report.days else {
            return lines + ["nothing to derive: no samples on these days"]
        }
        lines.append("\(days.first) to \(days.last) (\(clock.home.identifier))")
        var table = TextTable([.left, .left])
        for view in outcomes { table.add(view.metric.rawValue, view.text) }
        table.add("snapshots", report.snapshotsText)
        lines += table.lines(indentation: 2)
        lines += outcomes.compactMap(\.refusals)
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
            "sources": report.ingests.map { IngestView(report: $0, clock: clock) },
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
