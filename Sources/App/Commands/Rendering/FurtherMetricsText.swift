import HealthSyncDomain
import HealthSyncEngine

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
