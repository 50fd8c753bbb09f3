/// What was measured of one metric in a stretch of time.
public struct ProgressFigures: Hashable, Sendable, Codable {
    /// The sum (cumulative), the mean or the mean over time (discrete), or the last value (state), in the metric's unit.
    public var quantity: Double
    /// Smallest measurement; absent for sums.
    public var minimum: Double?
    /// Largest measurement; absent for sums.
    public var maximum: Double?
    /// Number of measurements behind the quantity; absent for sums.
    public var count: Int?
    /// Milliseconds for which measurements held, by which means over time are weighted; absent for other figures.
    public var heldMilliseconds: Int64?

    /// Figures with these members.
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

/// Figures of one hour bucket.
public struct HourProgress: Hashable, Sendable, Codable {
    /// First instant of the bucket.
    public var start: Instant
    /// What was measured in it.
    public var figures: ProgressFigures

    /// The figures of the hour that begins at `start`.
    public init(start: Instant, figures: ProgressFigures) {
        self.start = start
        self.figures = figures
    }
}

/// What one origin alone would have said of a day; kept beside the merged figure so that a person can compare.
public struct OriginProgress: Hashable, Sendable, Codable {
    /// The source's name.
    public var sourceName: String
    /// Its own quantity for the day.
    public var quantity: Double

    /// The quantity of `sourceName` alone.
    public init(sourceName: String, quantity: Double) {
        self.sourceName = sourceName
        self.quantity = quantity
    }
}

/// One metric on one calendar day: the day's figures and those of its hours. Hours in which nothing was measured are
/// absent, and so is a day in which nothing was.
public struct DailyProgress: Hashable, Sendable {
    /// The metric.
    public var metric: HealthMetric
    /// The calendar day, in the person's zone.
    public var day: CalendarDay
    /// First instant of the day.
    public var start: Instant
    /// Unit of every quantity here.
    public var unit: String
    /// Figures of the whole day.
    public var figures: ProgressFigures
    /// Figures by hour bucket, ascending.
    public var hours: [HourProgress]
    /// What each origin alone would have said, by source name.
    public var origins: [OriginProgress]

    /// A day of `metric` with these figures.
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
