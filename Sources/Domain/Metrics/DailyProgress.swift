/// The figures of one metric over an interval of time.
public struct ProgressFigures: Hashable, Sendable, Codable {
    /// The sum (cumulative types), the mean or the mean over time (discrete types) or the last value (states), in the unit of
    /// the metric.
    public var quantity: Double
    /// The smallest measurement, in the unit of the metric; absent for sums.
    public var minimum: Double?
    /// The largest measurement, in the unit of the metric; absent for sums.
    public var maximum: Double?
    /// The number of measurements; absent for sums.
    public var count: Int?
    /// The milliseconds for which measurements held, the weight of a mean over time; absent for other figures.
    public var heldMilliseconds: Int64?

    /// Creates figures.
    public init(
        quantity: Double, minimum: Double? = nil, maximum: Double? = nil, count: Int? = nil,
        heldMilliseconds: Int64? = nil
    ) {
        self.quantity = quantity
        self.minimum = minimum
        self.maximum = maximum
        self.count = count
        self.heldMilliseconds = heldMilliseconds
    }
}

extension ProgressFigures {
    /// Whether the mean over time is outside minimum and maximum, because an earlier measurement held.
    package var isMeanOutsideRange: Bool {
        guard heldMilliseconds != nil, let minimum, let maximum else { return false }
        return quantity < minimum || quantity > maximum
    }

    /// What explains such a mean.
    package static let heldNote =
        "a measurement counts until the next one, also in the next hour, so a mean may be outside lowest and highest"
}

/// The figures of one hour bucket.
public struct HourProgress: Hashable, Sendable, Codable {
    /// The first instant of the bucket.
    public var start: Instant
    /// The figures of the bucket.
    public var figures: ProgressFigures

    /// Creates the figures of the hour that begins at `start`.
    public init(start: Instant, figures: ProgressFigures) {
        self.start = start
        self.figures = figures
    }
}

/// The quantity of a day by one source alone; stored with the merged figure, so that users can compare.
public struct OriginProgress: Hashable, Sendable, Codable {
    /// The name of the source.
    public var sourceName: String
    /// The quantity of that source alone, in the unit of the metric.
    public var quantity: Double

    /// Creates the quantity of `sourceName` alone.
    public init(sourceName: String, quantity: Double) {
        self.sourceName = sourceName
        self.quantity = quantity
    }
}

/// One metric on one calendar day: the figures of the day and of its hours. Hours and days without measurements are absent.
public struct DailyProgress: Hashable, Sendable {
    /// The metric.
    public var metric: HealthMetric
    /// The calendar day, in the user's zone.
    public var day: CalendarDay
    /// The first instant of the day.
    public var start: Instant
    /// The unit of all quantities.
    public var unit: String
    /// The figures of the whole day.
    public var figures: ProgressFigures
    /// The figures of hours, ascending.
    public var hours: [HourProgress]
    /// The quantities of each source alone, by name.
    public var origins: [OriginProgress]

    /// Creates a day of `metric`.
    public init(
        metric: HealthMetric, day: CalendarDay, start: Instant, unit: String, figures: ProgressFigures,
        hours: [HourProgress] = [], origins: [OriginProgress] = []
    ) {
        self.metric = metric
        self.day = day
        self.start = start
        self.unit = unit
        self.figures = figures
        self.hours = hours
        self.origins = origins
    }
}

extension DailyProgress {
    /// The ids under which the day and its hours are delivered: `steps/day/2024-01-15`, then for each hour
    /// `steps/hour/2024-01-15/2024-01-15T08:00:00Z`. An hour's id contains its day because days of two zones share
    /// hours, and because an hour that moves to another day is another entry.
    public var entryIDs: [String] {
        let hourPrefix = "\(metric.rawValue)/hour/\(day)/"
        return ["\(metric.rawValue)/day/\(day)"] + hours.map { hourPrefix + RFC3339.string($0.start) }
    }
}

extension ProgressFigures {
    /// Returns the figures of two periods together: sums add up, means over time are weighted by the time for which
    /// they hold, other means by their number of measurements, or 1 if that is unknown.
    package func merged(with other: ProgressFigures) -> ProgressFigures {
        guard !isSum || !other.isSum else {
            let largest = Double.greatestFiniteMagnitude
            return ProgressFigures(quantity: min(largest, max(-largest, quantity + other.quantity)))
        }
        let (weight, otherWeight) = (max(1, count ?? 1), max(1, other.count ?? 1))
        let (sum, isTooLarge) = weight.addingReportingOverflow(otherWeight)
        var merged = ProgressFigures(
            quantity: 0, minimum: Self.lesser(minimum, other.minimum), maximum: Self.greater(maximum, other.maximum),
            count: isTooLarge ? .max : sum)
        if let held = heldMilliseconds, let otherHeld = other.heldMilliseconds, max(held, otherHeld) > 0 {
            merged.quantity = Self.mean((quantity, Double(held)), (other.quantity, Double(otherHeld)))
            let (total, isTooLong) = held.addingReportingOverflow(otherHeld)
            merged.heldMilliseconds = isTooLong ? .max : total
        } else {
            merged.quantity = Self.mean((quantity, Double(weight)), (other.quantity, Double(otherWeight)))
        }
        return merged
    }

    private static func mean(
        _ left: (quantity: Double, weight: Double), _ right: (quantity: Double, weight: Double)
    ) -> Double {
        let weight = left.weight + right.weight
        let mean = (left.quantity * left.weight + right.quantity * right.weight) / weight
        // The sum of figures near the largest double is infinite, but their mean is not.
        return mean.isFinite ? mean : left.quantity * (left.weight / weight) + right.quantity * (right.weight / weight)
    }

    private var isSum: Bool { minimum == nil && maximum == nil && count == nil }

    /// Returns all of `figures` merged; `nil` without any.
    package static func merged(_ figures: some Sequence<ProgressFigures>) -> ProgressFigures? {
        let merged = figures.reduce(nil) { merged, figures in merged?.merged(with: figures) ?? figures }
        guard var rounded = merged else { return nil }
        rounded.quantity = rounded.quantity.asFigure
        return rounded
    }

    private static func lesser(_ left: Double?, _ right: Double?) -> Double? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    private static func greater(_ left: Double?, _ right: Double?) -> Double? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }
}

/// A record with its id and revision: a higher revision replaces a lower one.
public struct RevisedRecord<Record: Sendable & Hashable>: Sendable, Hashable {
    /// The record.
    public var record: Record
    /// The id of the record, which depends on content and source only. A session or snapshot is delivered and deleted
    /// under it. That of a metric's day, such as `steps/2024-01-15`, is the id of the day and its hours together; they
    /// are delivered and deleted under the ids in `DailyProgress.entryIDs`.
    public var sourceID: String
    /// The revision, at least 1.
    public var revision: Int

    /// Creates the given revision of `record`.
    public init(_ record: Record, sourceID: String, revision: Int) {
        self.record = record
        self.sourceID = sourceID
        self.revision = revision
    }
}
