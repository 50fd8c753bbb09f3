import HealthSyncDomain
import HealthSyncEngine

/// What the rules of a version changed in figures of the past.
struct HistoryChangeView: JSONEncodable {
    let change: HistoryChange

    /// The change in words, and where the reasons are.
    var text: String {
        let statement = change.text(number: Figures.grouped) { _, value, unit in
            Figures.rounded(value, places: 2) + (unit == "count" || unit.isEmpty ? "" : " \(unit)")
        }
        return "\(statement); \(HistoryChange.reasons)"
    }

    var json: JSONValue {
        [
            "version": change.version, "at": change.at, "nights": change.nights, "figures": change.figures,
            "last": [
                "metric": change.last.metric.rawValue, "day": change.last.day, "unit": change.last.unit,
                "former": change.last.former, "quantity": change.last.quantity,
            ] as JSONValue,
        ]
    }
}

/// Texts about the metrics that an upgrade added to the default (decision 58).
enum FurtherMetricsText {
    /// The notice of the upgrade.
    static let notice =
        "every quantity in the data is a metric now, such as weight or blood pressure; "
        + "`healthsync import FILE` with an export adds their earlier days"

    /// Returns the statement about records that the server is not offered, with the command that sends them.
    static func of(_ omitted: OmittedRecords) -> String {
        omitted.text(day: "\(omitted.lastDay)", number: Figures.grouped)
    }
}

extension CommandContext {
    /// Returns the notice that is shown once after an upgrade, that the default has further metrics; `nil` if the run read an
    /// export, which added them. With `--quiet` the next run shows it.
    func furtherMetricsNotice(after report: RunReport, _ engine: SyncEngine) async throws -> String? {
        let isShown = verbosity != .quiet || parsed.has("json")
        guard isShown || report.hasReadExport else { return nil }
        return try await engine.furtherMetrics.takeNotice(after: report) ? FurtherMetricsText.notice : nil
    }
}

extension OmittedRecords: JSONEncodable {
    package var json: JSONValue { ["records": count, "metrics": metrics, "last": "\(lastDay)"] }
}
