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
