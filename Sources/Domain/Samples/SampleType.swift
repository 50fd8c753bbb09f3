/// What was measured, by HealthKit's identifier, such as `HKQuantityTypeIdentifierStepCount`.
public struct SampleType: RawRepresentable, Hashable, Sendable, Codable, Comparable {
    /// HealthKit's identifier.
    public let rawValue: String

    /// The type with that HealthKit identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The short name of a type: the identifier without `HKQuantityTypeIdentifier`, `HKCategoryTypeIdentifier` or
    /// `HKDataType`, first letter lower: `stepCount`.
    public var shortName: String {
        for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
        where rawValue.hasPrefix(prefix) && rawValue.utf8.count > prefix.utf8.count {
            let rest = rawValue.dropFirst(prefix.count)
            return rest.prefix(1).lowercased() + rest.dropFirst()
        }
        return rawValue
    }

    /// By identifier.
    public static func < (left: SampleType, right: SampleType) -> Bool { left.rawValue < right.rawValue }
}

/// How samples of a type are put together over time.
public enum SampleKind: String, Sendable, Codable {
    /// A quantity that sums over time, such as steps.
    case cumulative
    /// A quantity of which mean, minimum and maximum are asked, such as heart rate.
    case discrete
    /// A quantity that holds until it is measured again and of which the last value is asked, such as body mass.
    case state
    /// A condition that lasts for the sample, such as a sleep stage; the value is HealthKit's number of the condition.
    case category
}

/// How HealthKit averages the samples of a discrete type (`HKQuantityAggregationStyle`, as `HKTypeIdentifiers.h` of the
/// iOS 18 SDK declares it for each type).
public enum SampleAveraging: String, Sendable, Codable {
    /// The mean of the samples.
    case arithmetic
    /// The mean over time: each sample holds until the next one (`DiscreteSummary.holdMinutes`).
    case temporallyWeighted
    /// The level of steady sound with the same energy. The summary takes the arithmetic mean of the levels.
    case equivalentContinuousLevel
}

/// One row of the table of types: the canonical unit and what may be read into it.
public struct SampleTypeDefinition: Hashable, Sendable {
    /// HealthKit's identifier.
    public let type: SampleType
    /// Whether it sums.
    public let kind: SampleKind
    /// How samples are averaged; used for discrete types only.
    public let averaging: SampleAveraging
    /// The one unit in which values are kept, such as `count`, `km`, `kcal`, `count/min`; empty for categories.
    public let unit: String
    /// What a value in another unit is multiplied by to be in `unit`.
    public let factors: [String: Double]
    /// What is added after the multiplication, for units whose zero is another one (`degF` to `degC`).
    public let offsets: [String: Double]
    /// Values for names of category states, such as `HKCategoryValueSleepAnalysisAsleepREM`.
    public let categoryValues: [String: Int]

    /// A row of the table; `factors` lists the units other than `unit` that files use, `offsets` what those of them
    /// need whose zero is another one.
    public init(
        _ type: SampleType, _ kind: SampleKind, averaging: SampleAveraging = .arithmetic, unit: String,
        factors: [String: Double] = [:], offsets: [String: Double] = [:], categoryValues: [String: Int] = [:]
    ) {
        self.type = type
        self.kind = kind
        self.averaging = averaging
        self.unit = unit
        self.factors = factors
        self.offsets = offsets
        self.categoryValues = categoryValues
    }

    /// How a value stated in `stated` becomes one in the canonical unit; `nil` when it cannot.
    public func conversion(from stated: String) -> UnitConversion? {
        if stated == unit { return UnitConversion(factor: 1) }
        return factors[stated].map { UnitConversion(factor: $0, offset: offsets[stated] ?? 0) }
    }
}
