/// A sample that was deleted where it was recorded.
public struct DeletedSample: Sendable, Hashable, Codable {
    /// The identifier that the sample had in `SampleDetail.externalID`. If the source splits one record into several
    /// samples, their identifiers are that of the record, `#` and a number; deleting the record deletes all of them.
    public var externalID: String
    /// The type of the sample; `nil` if the source does not state it.
    public var type: SampleType?
    /// The version at which it was deleted, comparable with `SampleDetail.syncVersion`. A sample of a higher version
    /// exists again. `nil` if the source does not order its statements: the deletion is final.
    public var version: Int64?

    /// The deletion of the sample with this identifier.
    public init(externalID: String, type: SampleType? = nil, version: Int64? = nil) {
        self.externalID = externalID
        self.type = type
        self.version = version
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
    /// When the source stated it.
    public var date: Instant
    /// The version of the window, comparable with `SampleDetail.syncVersion`: the window deletes the samples of lower
    /// versions that it lacks, whatever arrives first. By default the milliseconds of `date`; samples without a version
    /// that arrive with the window then have its version.
    public var version: Int64

    /// A complete window of `types`, as of `date`.
    public init(start: Instant, end: Instant, types: Set<SampleType>, date: Instant, version: Int64? = nil) {
        self.start = start
        self.end = end
        self.types = types
        self.date = date
        self.version = version ?? date.milliseconds
    }
}

/// A record of which a source states all samples, such as a night with its stages: samples of the record that an earlier
/// statement contained and this one lacks no longer exist.
package struct StatedRecord: Sendable, Hashable, Codable {
    /// The identifier of the record. Its samples have it as their `externalID`, or with `#` and a text after it.
    package var externalID: String
    package var type: SampleType
    /// The earliest start of its samples.
    package var firstStart: Instant
    /// The latest start of its samples.
    package var lastStart: Instant
    /// The version of the statement; of two statements the higher one counts.
    package var version: Int64

    package init(externalID: String, type: SampleType, firstStart: Instant, lastStart: Instant, version: Int64) {
        self.externalID = externalID
        self.type = type
        self.firstStart = firstStart
        self.lastStart = lastStart
        self.version = version
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
