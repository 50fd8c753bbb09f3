import HealthSyncDomain

extension HistorySection {
    /// Creates the section of a metric; `nil` without quantities.
    init?(of definition: MetricDefinition, quantities: [DailyQuantity], _ numbers: NumberForm) {
        let largest = quantities.map(\.quantity.magnitude).max() ?? 0
        let resolution = definition.resolution(ofLargest: largest)
        guard let records = MetricRecords(quantities, resolution: resolution) else { return nil }
        let suffix = definition.unitSuffix
        let figure = MetricFigure(definition: definition, numbers: numbers)
        self.init(
            title: definition.title, words: ("Highest day", "Lowest day", definition.kind == .sum ? " a day" : ""),
            hasStreaks: definition.kind == .sum, records: records,
            history: MetricHistory(quantities), resolution: resolution, numbers: numbers, fact: { figure.fact($0) },
            mean: { mean in
                let shown = definition.shownNumber(mean)
                let places = definition.places(of: shown)
                return numbers.rounded(shown, places: definition.kind == .sum ? places : max(1, places))
            },
            suffix: suffix, mark: { figure.mark($0) },
            change: { change in
                let shown = definition.shownNumber(change)
                return numbers.rounded(shown, places: shown < 10 ? 2 : 0) + (suffix.hasPrefix("/") ? " " : "") + suffix
            })
    }
}
