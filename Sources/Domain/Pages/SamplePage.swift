/// Where a page belongs: one type, one origin, one UTC day.
public struct SamplePageKey: Hashable, Sendable {
    /// The samples' type.
    public let type: SampleType
    /// The samples' origin.
    public let origin: SampleOrigin
    /// The UTC day on which every sample of the page starts.
    public let day: CalendarDay

    /// The key of the page of that type, origin and UTC day.
    public init(type: SampleType, origin: SampleOrigin, day: CalendarDay) {
        self.type = type
        self.origin = origin
        self.day = day
    }
}

/// What is known of a page without opening it.
public struct SamplePageSummary: Hashable, Sendable {
    /// Number of samples.
    public let count: Int
    /// Sum of the values.
    public let sum: Double
    /// Start of the first sample.
    public let firstStart: Instant
    /// Latest end of a sample.
    public let lastEnd: Instant

    /// A summary with these figures.
    public init(count: Int, sum: Double, firstStart: Instant, lastEnd: Instant) {
        self.count = count
        self.sum = sum
        self.firstStart = firstStart
        self.lastEnd = lastEnd
    }

    /// The figures of `columns`; `nil` when there are no samples.
    public init?(of columns: SampleColumns) {
        guard let first = columns.starts.min() else { return nil }
        var lastEnd = Int64.min
        for index in 0..<columns.count { lastEnd = max(lastEnd, columns.starts[index] + columns.durations[index]) }
        self.init(
            count: columns.count, sum: columns.values.reduce(0, +), firstStart: Instant(milliseconds: first),
            lastEnd: Instant(milliseconds: lastEnd))
    }
}
