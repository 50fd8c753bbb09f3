import HealthSyncDomain

/// Figures of a metric as text.
struct FigureText {
    let definition: MetricDefinition

    /// Returns a number without its unit; `-` for `nil`.
    func number(_ value: Double?) -> String {
        guard let value else { return "-" }
        let shown = definition.shownNumber(value)
        return Figures.rounded(shown, places: definition.places(of: shown))
    }

    /// Returns a number with its unit: `482 kcal`, `52/min`, `97%`.
    func quantity(_ value: Double?) -> String { number(value) + (value == nil ? "" : definition.unitSuffix) }

    /// The unit of a table, after its title: `, per minute`; empty for counts.
    var caption: String {
        switch definition.unit {
        case "", "count": ""
        case "count/min": ", per minute"
        case "%": ", in %"
        default: ", in \(definition.unit)"
        }
    }

    /// Returns `48 to 120/min`; `nil` without minimum or maximum.
    func range(_ figures: ProgressFigures) -> String? {
        guard let minimum = figures.minimum, let maximum = figures.maximum else { return nil }
        return "\(number(minimum)) to \(quantity(maximum))"
    }
}
