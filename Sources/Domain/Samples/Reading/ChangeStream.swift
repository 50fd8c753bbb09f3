/// A sample that was deleted where it was recorded.
public struct DeletedSample: Sendable, Hashable, Codable {
    /// The identifier that the sample had in `SampleDetail.externalID`. If the source splits one record into several
    /// samples, their identifiers are that of the record, `#` and a number; deleting the record deletes all of them.
    public var externalID: String
    /// The type of the sample; `nil` if the source does not state it.
    public var type: SampleType?

    /// The deletion of the sample with this identifier.
    public init(externalID: String, type: SampleType? = nil) {
        self.externalID = externalID
        self.type = type
    }
}

/// An interval of which a source states all samples of some types.
public struct CompleteWindow: Sendable, Hashable, Codable {
    /// The samples that start in it are complete. In milliseconds since 1970, half-open.
    public var start: Instant
    /// The end, which is not part of the window.
    public var end: Instant
    /// The types that are complete in it.
    public var types: Set<SampleType>
    /// When the source stated it. A window that is older than one that was read before deletes nothing.
    public var date: Instant

    /// A complete window of `types`, as of `date`.
    public init(start: Instant, end: Instant, types: Set<SampleType>, date: Instant) {
        self.start = start
        self.end = end
        self.types = types
        self.date = date
    }
}

/// The number of a delivery in a numbered series, by which missing deliveries are noticed.
public struct DeliveryNumber: Sendable, Hashable, Codable {
    /// Identifies the series, such as a destination of an app.
    public var series: String
    /// The number; consecutive deliveries have consecutive numbers.
    public var number: Int64

    /// Delivery `number` of `series`.
    public init(series: String, number: Int64) {
        self.series = series
        self.number = number
    }
}
