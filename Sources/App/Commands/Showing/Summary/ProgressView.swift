import HealthSyncDomain

/// The figures of one metric on one day.
struct ProgressView: JSONEncodable {
    let progress: DailyProgress
    let definition: MetricDefinition

    /// Shows `progress` by its definition in `catalog`, or by one inferred from it.
    init(progress: DailyProgress, catalog: MetricCatalog = MetricCatalog()) {
        self.progress = progress
        definition = catalog.definition(of: progress)
    }

    /// The title of the metric in a table: `heart rate`.
    var name: String { definition.label }

    /// `9,432`, `7.2 km`, `14.6/min (14 to 31/min)`; for heart rate the range: `44 to 141/min`.
    var text: String {
        let text = FigureText(definition: definition)
        let figures = progress.figures
        // The mean heart rate of a day is of little use, so its range is shown next to the resting heart rate.
        if progress.metric == .heartRate, let range = text.range(figures) { return range }
        let quantity = text.quantity(figures.quantity)
        guard let minimum = figures.minimum, let maximum = figures.maximum else { return quantity }
        return "\(quantity) (\(text.number(minimum)) to \(text.quantity(maximum)))"
    }

    var json: JSONValue {
        let figures = progress.figures
        return [
            "metric": progress.metric.rawValue, "day": progress.day,
            "unit": progress.unit, "quantity": figures.quantity,
            "minimum": figures.minimum, "maximum": figures.maximum,
            "count": figures.count,
            "heldMinutes": figures.heldMilliseconds.map { Double($0) / 60_000 },
            "origins": progress.origins.map { ["source": $0.sourceName, "quantity": $0.quantity] as JSONValue },
        ]
    }
}
