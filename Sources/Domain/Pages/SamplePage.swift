/// The key of a page: one type, one origin, one UTC day.
public struct SamplePageKey: Hashable, Sendable {
    /// The type of the samples.
    public let type: SampleType
    /// The origin of the samples.
    public let origin: SampleOrigin
    /// The UTC day on which every sample of the page starts.
    public let day: CalendarDay

    /// Creates the key of the page with this type, origin and UTC day.
    public init(type: SampleType, origin: SampleOrigin, day: CalendarDay) {
        self.type = type
        self.origin = origin
        self.day = day
    }
}

/// Figures of a page that are available without decoding it.
public struct SamplePageSummary: Hashable, Sendable {
    /// The number of samples.
    public let count: Int
    /// The sum of the values, in the canonical unit of the type.
    public let sum: Double
    /// The start of the first sample.
    public let firstStart: Instant
    /// The latest end of a sample.
    public let lastEnd: Instant

    /// Creates a summary with these figures.
    public init(count: Int, sum: Double, firstStart: Instant, lastEnd: Instant) {
        self.count = count
        self.sum = sum
        self.firstStart = firstStart
        self.lastEnd = lastEnd
    }

    /// Creates the summary of `columns`; `nil` if there are no samples.
    public init?(of columns: SampleColumns) {
        guard let first = columns.starts.min() else { return nil }
        var lastEnd = Int64.min
        for index in 0..<columns.count { lastEnd = max(lastEnd, columns.starts[index] + columns.durations[index]) }
        self.init(
            count: columns.count, sum: columns.values.reduce(0, +), firstStart: Instant(milliseconds: first),
            lastEnd: Instant(milliseconds: lastEnd))
    }
}

/// The error for bytes that are not a valid page.
package struct DamagedPage: Error, Sendable {
    package init() {}
}
