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
    private static func title(of metric: HealthMetric) -> String {
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

/// The name of a metric, such as steps: results are stored, shown and delivered under it.
///
/// A struct rather than an enum, so that plug-ins can add metrics.
public struct HealthMetric: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    /// The name, in lower camel case; letters and digits only.
    public let rawValue: String

    /// Creates a metric with the name `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Steps, merged over the devices that counted them; unit `count`.
    public static let steps = HealthMetric(rawValue: "steps")
    /// Heart rate; unit `count/min`.
    public static let heartRate = HealthMetric(rawValue: "heartRate")
    /// Sleep sessions with stages.
    public static let sleep = HealthMetric(rawValue: "sleep")
    /// Active energy; unit `kcal`.
    public static let activeEnergy = HealthMetric(rawValue: "activeEnergy")
    /// Exercise time; unit `min`.
    public static let exerciseMinutes = HealthMetric(rawValue: "exerciseMinutes")
    /// Distance walked and run; unit `km`.
    public static let walkingDistance = HealthMetric(rawValue: "walkingDistance")
    /// Resting heart rate; unit `count/min`.
    public static let restingHeartRate = HealthMetric(rawValue: "restingHeartRate")

    /// The name.
    public var description: String { rawValue }

    /// Compares names.
    public static func < (left: HealthMetric, right: HealthMetric) -> Bool { left.rawValue < right.rawValue }
}

/// The quantity of one metric on one calendar day.
public struct DailyQuantity: Hashable, Sendable {
    /// The calendar day, in the user's zone.
    public var day: CalendarDay
    /// The quantity in the unit of the metric; minutes asleep for sleep.
    public var quantity: Double

    /// Creates the quantity of `day`.
    public init(day: CalendarDay, quantity: Double) {
        self.day = day
        self.quantity = quantity
    }
}
