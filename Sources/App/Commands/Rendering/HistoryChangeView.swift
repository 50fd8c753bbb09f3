import HealthSyncDomain

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
