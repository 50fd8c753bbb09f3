import HealthSyncDomain

/// Steps and distance as cells of a table.
enum WalkCells {
    static func cells(_ figures: WalkFigures, _ numbers: NumberForm) -> [Markup] {
        [steps(figures, numbers) ?? "–", distance(figures, numbers) ?? "–"]
    }

    static func steps(_ figures: WalkFigures, _ numbers: NumberForm) -> Markup? {
        figures.steps.map { Figure.number($0, numbers.whole($0)) }
    }

    static func distance(_ figures: WalkFigures, _ numbers: NumberForm) -> Markup? {
        figures.kilometres.map { Figure.number($0.asFigure, numbers.rounded($0, places: 2) + " km") }
    }
}
