/// The type of a sample: HealthKit's identifier, such as `HKQuantityTypeIdentifierStepCount`.
public struct SampleType: RawRepresentable, Hashable, Sendable, Codable, Comparable {
    /// HealthKit's identifier.
    public let rawValue: String

    /// Creates the type with that HealthKit identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The identifier without `HKQuantityTypeIdentifier`, `HKCategoryTypeIdentifier` or `HKDataType` and with a
    /// lowercase first letter: `stepCount`.
    public var shortName: String {
        for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
        where rawValue.hasBytePrefix(prefix) && rawValue.utf8.count > prefix.utf8.count {
            let rest = rawValue.unicodeScalars.dropFirst(prefix.unicodeScalars.count)
            return String(Substring(rest.prefix(1)).asciiLowercased) + Substring(rest.dropFirst())
        }
        return rawValue
    }

    /// Compares by the bytes of the identifier.
    public static func < (left: SampleType, right: SampleType) -> Bool {
        left.rawValue.precedesInBytes(right.rawValue)
    }

    /// Compares the bytes of the identifiers: a database stores canonically equivalent ones as different types.
    public static func == (left: SampleType, right: SampleType) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(rawValue)) }
}

/// How samples of a type are combined over time.
public enum SampleKind: String, Sendable, Codable {
    /// A quantity that sums over time, such as steps.
    case cumulative
    /// A quantity with mean, minimum and maximum, such as heart rate.
    case discrete
    /// A quantity that holds until it is measured again, such as body mass; the last value is used.
    case state
    /// A state that lasts for the duration of the sample, such as a sleep stage. The value is HealthKit's number of
    /// the state.
    case category
}

/// How samples of a cumulative type that several origins recorded add up (`CumulativeMerge`).
public enum SampleCounting: String, Sendable, Codable {
    /// A sample is what was counted in its time, as steps are: several origins measure the same, and for each moment the one
    /// with the highest priority counts.
    case spans
    /// A sample is an event of its own, as a glass of water is: all count in full, whatever their length and origin, except
    /// copies.
    case events
}

/// How HealthKit averages the samples of a discrete type (`HKQuantityAggregationStyle`, as declared for each type in
/// `HKTypeIdentifiers.h` of the iOS 18 SDK).
public enum SampleAveraging: String, Sendable, Codable {
    /// The mean of the samples.
    case arithmetic
    /// The mean over time: each sample holds until the next one (`DiscreteSummary.Quantity.timeWeightedMean`).
    case temporallyWeighted
    /// The level of a steady sound with the same energy. The summary uses the arithmetic mean of the levels.
    case equivalentContinuousLevel
}

/// A row of the table of types: the canonical unit and the units that can be converted to it.
public struct SampleTypeDefinition: Hashable, Sendable {
    /// HealthKit's identifier.
    public let type: SampleType
    /// How samples are combined over time.
    public let kind: SampleKind
    /// How samples are averaged; used only for discrete types.
    public let averaging: SampleAveraging
    /// How the samples of several origins add up; used only for cumulative types.
    public let counting: SampleCounting
    /// The plausible values in `unit`; `nil` for all finite ones. Others are stored, but skipped and counted when days are
    /// derived. Sums have bounds of their own (`CumulativeMerge`).
    public let plausibleValues: ClosedRange<Double>?
    /// The unit in which values are stored, such as `count`, `km`, `kcal`, `count/min`; empty for categories.
    public let unit: String
    /// Factors by which values in other units are multiplied to convert them to `unit`.
    public let factors: [String: Double]
    /// Offsets added after the multiplication, for units with a different zero point (`degF` to `degC`).
    public let offsets: [String: Double]
    /// Values for the names of category states, such as `HKCategoryValueSleepAnalysisAsleepREM`.
    public let categoryValues: [String: Int]

    /// Creates a row. `factors` lists the units other than `unit` that files use; `offsets` lists those with a
    /// different zero point.
    public init(
        _ type: SampleType, _ kind: SampleKind, averaging: SampleAveraging = .arithmetic,
        counting: SampleCounting = .spans, unit: String, plausibleValues: ClosedRange<Double>? = nil,
        factors: [String: Double] = [:], offsets: [String: Double] = [:], categoryValues: [String: Int] = [:]
    ) {
        self.type = type
        self.kind = kind
        self.averaging = averaging
        self.counting = counting
        self.plausibleValues = plausibleValues
        self.unit = unit
        self.factors = factors
        self.offsets = offsets
        self.categoryValues = categoryValues
    }

    /// Returns the conversion of a value in `stated` to the canonical unit; `nil` if the unit is unknown.
    public func conversion(from stated: String) -> UnitConversion? {
        if stated == unit { return UnitConversion(factor: 1) }
        return factors[stated].map { UnitConversion(factor: $0, offset: offsets[stated] ?? 0) }
    }
}
