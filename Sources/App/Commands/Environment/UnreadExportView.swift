import HealthSyncDomain
import HealthSyncPorts

/// An export next to an imported one that is not read.
struct UnreadExportView: JSONEncodable {
    let export: UnreadExport
    let clock: DayClock

    /// The path, and why the export is not read, on one line.
    var text: String {
        let exported = export.exportDate.map { " (exported \(Figures.wallClock($0, clock)))" } ?? ""
        let advice = export.advice.isEmpty ? "" : "; \(export.advice)"
        return "\(export.path)\(exported) is not read: \(export.reason)\(advice)"
    }

    var json: JSONValue {
        [
            "path": export.path, "reason": export.reason,
            "exportDate": export.exportDate,
        ]
    }
}
