import HealthSyncDomain
import HealthSyncPorts

/// Derives one metric from one quantity type, by hour and day. The kind of the type selects the rule: the sum of a
/// cumulative type, merged over devices; the mean of a discrete one, over time if HealthKit averages it that way; the
/// last value of a state. Means and last values include minimum, maximum and count.
struct QuantityHandler: HealthMetricSyncHandler {
    let metric: HealthMetric
    let version: Int
    private let type: SampleTypeDefinition
    private let holdMinutes: Int
    private let choice: DiscreteSummary.Choice
    private let isHourly: Bool

    /// Creates a handler of `metric`.
    ///
    /// Only `version` and `type` matter for a cumulative type.
    ///
    /// - Parameters:
    ///   - type: the quantity type; its kind selects the rule.
    ///   - version: the version of the rule; by default that of the kind.
    ///   - holdMinutes: the longest time for which a measurement holds in a mean over time.
    ///   - choice: whose measurements count on a day.
    ///   - isHourly: whether hours have figures too.
    init(
        _ metric: HealthMetric, of type: SampleTypeDefinition, version: Int? = nil,
        holdMinutes: Int = DiscreteSummary.standardHoldMinutes,
        choice: DiscreteSummary.Choice = .everyOrigin, isHourly: Bool = true
    ) {
        self.metric = metric
        self.version = version ?? Self.version(of: type)
        self.type = type
        self.holdMinutes = holdMinutes
        self.choice = choice
        self.isHourly = isHourly
    }

    var reads: [SampleTypeDefinition] { [type] }

    var reach: SampleReach {
        if case .timeWeightedMean(let minutes) = quantity { .holding(minutes: minutes) } else { .days }
    }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        guard type.kind != .cumulative else {
            return CumulativeMerge(
                metric: metric, unit: type.unit, days: days, rules: rules, counting: type.counting
            )
            .days(of: window[type.type])
        }
        var summary = DiscreteSummary(metric: metric, unit: type.unit, days: days, rules: rules)
        summary.quantity = quantity
        summary.validRange = type.plausibleValues
        summary.isFraction = type.unit == "%"
        summary.choice = choice
        summary.isHourly = isHourly
        return summary.days(of: window[type.type])
    }

    private var quantity: DiscreteSummary.Quantity {
        switch (type.kind, type.averaging) {
        case (.state, _): .last
        case (.discrete, .temporallyWeighted): .timeWeightedMean(holdMinutes: holdMinutes)
        default: .mean
        }
    }

    /// Returns the version of the rule of each kind. Raising one derives all days of its metrics again.
    private static func version(of type: SampleTypeDefinition) -> Int {
        switch type.kind {
        // 1 found the class of a device by letters within its name, 2 ranked manual entries last, 3 did not round
        // sums. 4 merged events as if several origins had counted the same.
        case .cumulative: type.counting == .events ? 5 : 4
        // 1 averaged over measurements, not over time. 2 had no bounds of plausible values.
        case .discrete, .category: type.plausibleValues == nil ? 2 : 3
        // 1 averaged the built-in types, 2 found the class of a device by letters within its name. 3 had no bounds of
        // plausible values.
        case .state: type.plausibleValues == nil ? 3 : 4
        }
    }
}
