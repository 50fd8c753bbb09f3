import HealthSyncDomain

/// Figures of a metric as elements that carry the exact value.
struct MetricFigure {
    let definition: MetricDefinition
    let numbers: NumberForm

    /// Returns a number without its unit.
    func number(_ value: Double) -> String {
        let shown = definition.shownNumber(value)
        return numbers.rounded(shown, places: definition.places(of: shown))
    }

    /// Returns the label of a mark on an axis.
    func mark(_ value: Double) -> String {
        let shown = definition.shownNumber(value)
        return numbers.mark(shown, places: definition.places(of: shown))
    }

    /// Returns a number with its unit.
    func text(_ value: Double) -> String { number(value) + definition.unitSuffix }

    /// Returns a number without its unit, for a table whose caption names the unit; a dash for `nil`.
    func cell(_ value: Double?) -> Markup { value.map { Figure.number($0, number($0)) } ?? "–" }

    /// Returns a number followed by its unit.
    func fact(_ value: Double) -> Markup {
        let suffix = definition.unitSuffix
        guard !suffix.isEmpty else { return Figure.number(value, number(value)) }
        let unit = suffix.hasPrefix("/") ? " " + suffix : suffix
        return Figure.number(value, number(value)) + .tag("small", [.class("quiet")], .text(unit))
    }

    /// Returns `48 to 120 /min`; `nil` without minimum or maximum.
    func range(_ figures: ProgressFigures) -> Markup? {
        guard let minimum = figures.minimum, let maximum = figures.maximum else { return nil }
        return Figure.number(minimum, number(minimum)) + " to " + fact(maximum)
    }

    /// The head of a column of figures: `Steps`, or the unit as it is always written.
    var heading: String {
        let name = definition.figureName
        return name == definition.unit ? name : name.inSentenceCase
    }

    /// Returns the caption of a table or chart: `Active energy by day, in kcal`.
    func caption(_ view: PeriodView) -> String {
        let title = "\(definition.title) \(view.name.lowercased())"
        switch definition.unit {
        case "", "count": return title
        case "count/min": return title + ", per minute"
        default: return title + ", in \(definition.unit)"
        }
    }
}
