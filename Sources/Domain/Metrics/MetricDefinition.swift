/// The title of a metric, its unit and what its figures mean: enough to show it in a table, a chart and on a page.
public struct MetricDefinition: Hashable, Sendable {
    /// How figures of shorter periods combine into that of a longer one.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Figures add up, such as steps.
        case sum
        /// The figure is a mean with a minimum and a maximum, such as heart rate.
        case mean
        /// The figure is the last measured value, such as body mass.
        case last
        /// The results are sessions with a start, an end and stages, such as sleep.
        case sessions
    }

    /// The metric.
    public let metric: HealthMetric
    /// The title, in sentence case: `Active energy`.
    public let title: String
    /// The unit of every figure, such as `kcal`; empty for sessions.
    public let unit: String
    /// How figures combine.
    public let kind: Kind

    /// A definition of `metric`; its title follows from the name where none is given.
    public init(_ metric: HealthMetric, title: String? = nil, unit: String, kind: Kind) {
        self.metric = metric
        self.title = title ?? Self.title(of: metric)
        self.unit = unit
        self.kind = kind
    }

    /// A definition of `metric` as the figures of `type` by themselves: their sum, mean or last value in the type's unit;
    /// sessions for a category.
    public init(_ metric: HealthMetric, of type: SampleTypeDefinition, title: String? = nil) {
        let kind: Kind =
            switch type.kind {
            case .cumulative: .sum
            case .discrete: .mean
            case .state: .last
            case .category: .sessions
            }
        self.init(metric, title: title, unit: type.unit, kind: kind)
    }

    /// `bodyMassIndex` as `Body mass index`.
    static func title(of metric: HealthMetric) -> String {
        var words = ""
        for character in metric.rawValue {
            if words.isEmpty {
                words += character.uppercased()
            } else if character.isUppercase {
                words += " " + character.lowercased()
            } else {
                words.append(character)
            }
        }
        return words
    }
}
