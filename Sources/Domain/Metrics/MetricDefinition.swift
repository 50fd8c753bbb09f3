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

    /// Creates a definition of `metric`. By default the title is derived from its name.
    public init(_ metric: HealthMetric, title: String? = nil, unit: String, kind: Kind) {
        self.metric = metric
        self.title = title ?? Self.title(of: metric)
        self.unit = unit
        self.kind = kind
    }

    /// Creates the definition of a metric that summarizes `type` alone: its sum, mean or last value in the type's unit;
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

    /// Returns the words of a camel-case name in sentence case. Keeps runs of capitals: `Body mass index`, `VO2 max`.
    static func title(of metric: HealthMetric) -> String {
        var words: [String] = []
        let characters = Array(metric.rawValue)
        for (index, character) in characters.enumerated() {
            let isAfterCapital = index > 0 && (characters[index - 1].isUppercase || characters[index - 1].isNumber)
            let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
            // A capital begins a word after a small letter, and as the last of a run before a small letter. Names of types
            // begin with a small letter even if it belongs to such a run: `vO2Max`, `uVExposure`.
            let begins = character.isUppercase && index > 1 && (!isAfterCapital || isBeforeSmall)
            if begins || words.isEmpty { words.append("") }
            words[words.count - 1].append(index == 0 ? Character(character.uppercased()) : character)
        }
        return words.enumerated().map { index, word in
            index == 0 || word.dropFirst().contains { $0.isUppercase } ? word : word.lowercased()
        }.joined(separator: " ")
    }
}
