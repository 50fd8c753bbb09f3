extension MetricDefinition {
    /// Infers the definition of a metric from one of its records, as on a server that only received records. Figures
    /// with a minimum, a maximum or a count are means, others are sums.
    package init(inferredFrom progress: DailyProgress) {
        let figures = progress.figures
        let isSum = figures.minimum == nil && figures.maximum == nil && figures.count == nil
        let isNamed = progress.metric.rawValue.contains { !$0.isWhitespace }
        self.init(
            progress.metric, title: isNamed ? nil : "Unnamed", unit: progress.unit, kind: isSum ? .sum : .mean)
    }

    /// The title within a sentence or a table: `heart rate`, `VO2 max`.
    package var label: String {
        let first = title.prefix(1)
        guard let second = title.dropFirst().first, second.isLowercase || second.isWhitespace else { return title }
        return first.lowercased() + title.dropFirst()
    }

    /// The name of the figures as the head of a column: the unit, or the title of what is counted.
    package var figureName: String { unit.isEmpty || unit == "count" ? label : unit == "count/min" ? "/min" : unit }

    /// The unit as it follows a figure: ` kcal`, `/min`, `%`, or nothing for counts.
    package var unitSuffix: String {
        switch unit {
        case "", "count": ""
        case "count/min": "/min"
        case "%": "%"
        default: " \(unit)"
        }
    }

    /// The name of the combined figure: `total`, `mean` or `last`.
    package var quantityName: String {
        switch kind {
        case .sum, .sessions: "total"
        case .mean: "mean"
        case .last: "last"
        }
    }

    /// Returns the number that is shown for `value`: percentages are stored as fractions and shown from 0 to 100.
    package func shownNumber(_ value: Double) -> Double { unit == "%" ? value * 100 : value }

    /// Returns the decimals with which `value` is shown: none for sums of counts, energy, minutes and heart rates, two
    /// for distances and speeds, one for other units. Numbers below 1 have up to four, so that they are not shown as 0.
    package func places(of value: Double) -> Int {
        switch unit {
        case "kcal", "min", "ms": 0
        case "count" where kind == .sum: 0
        case "count/min" where value.magnitude >= 40 || metric == .heartRate || metric == .restingHeartRate: 0
        case "%": 1
        case "km", "m", "m/s", "L": 2
        default: value.magnitude < 1 ? 4 : 1
        }
    }

    /// Returns the smallest difference between numbers that are shown differently, if the largest one is `largest`.
    package func resolution(ofLargest largest: Double) -> Double {
        if unit == "%" { return 0.001 }
        switch places(of: largest) {
        case 0: return 1
        case 1: return 0.1
        case 2: return 0.01
        default: return 0.0001
        }
    }
}
