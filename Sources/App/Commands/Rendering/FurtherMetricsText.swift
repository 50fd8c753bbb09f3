import HealthSyncDomain

/// Texts about the metrics that an upgrade added to the default (decision 58).
enum FurtherMetricsText {
    /// The notice of the upgrade.
    static let notice =
        "every quantity in the data is a metric now, such as weight or blood pressure; "
        + "`healthsync historical --source FILE` with an export adds their earlier days"

    /// Returns the statement about records that the server is not offered, with the command that sends them.
    static func of(_ omitted: OmittedRecords) -> String {
        let figures = Figures.count(omitted.count, "daily figure")
        let metrics = Figures.count(omitted.metrics, "further metric")
        let isOne = omitted.count == 1
        return "\(figures) of \(metrics) up to \(omitted.lastDay) \(isOne ? "is" : "are") not sent; "
            + "`healthsync push --all` sends \(isOne ? "it" : "them")"
    }
}

extension OmittedRecords: JSONEncodable {
    package var json: JSONValue { ["records": count, "metrics": metrics, "last": "\(lastDay)"] }
}
