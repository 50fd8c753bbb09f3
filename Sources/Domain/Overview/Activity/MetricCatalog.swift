/// The metrics that a program can show, with their definitions.
package struct MetricCatalog: Sendable {
    /// The definitions in the order in which they are listed.
    package let definitions: [MetricDefinition]
    private let byMetric: [HealthMetric: MetricDefinition]

    /// Creates a catalog of `definitions`. If a metric occurs several times, its first definition is used.
    package init(_ definitions: [MetricDefinition] = []) {
        byMetric = Dictionary(definitions.map { ($0.metric, $0) }) { first, _ in first }
        var listed: Set<HealthMetric> = []
        self.definitions = definitions.filter { listed.insert($0.metric).inserted }
    }

    /// The definition of `metric`; `nil` for a metric that is not in the catalog.
    package subscript(_ metric: HealthMetric) -> MetricDefinition? { byMetric[metric] }

    /// Returns the definition by which `progress` is shown: the one in the catalog with the unit of the record, or one
    /// inferred from the record.
    package func definition(of progress: DailyProgress) -> MetricDefinition {
        guard let known = byMetric[progress.metric], known.kind != .sessions else {
            return MetricDefinition(inferredFrom: progress)
        }
        guard known.unit != progress.unit, !progress.unit.isEmpty else { return known }
        return MetricDefinition(known.metric, title: known.title, unit: progress.unit, kind: known.kind)
    }
}
