package import HealthSyncDomain

/// A sample that a change stream deleted. It is remembered, because the sample may still arrive: late in the stream, or
/// in another input that contains the same measurement.
package struct DeletedRow: Sendable, Hashable {
    /// What was deleted.
    package struct Content: Sendable, Hashable {
        package var key: SamplePageKey
        /// Milliseconds since 1970.
        package var start: Int64
        /// Milliseconds.
        package var duration: Int64
        /// In the unit of the type.
        package var value: Double
        /// How the value was written; `nil` if that is unknown.
        package var written: WrittenNumber?

        package init(
            key: SamplePageKey, start: Int64, duration: Int64, value: Double, written: WrittenNumber? = nil
        ) {
            self.key = key
            self.start = start
            self.duration = duration
            self.value = value
            self.written = written
        }

        /// Distinguishes contents of one page, as part of the digests of its day.
        package var digest: ContentDigest {
            let times = UInt64(bitPattern: start) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: duration)
            return ContentDigest(high: times, low: value.bitPattern)
        }
    }

    /// The change stream.
    package var provider: String
    /// The identifier by which the stream deleted the sample. A sample without one, which a complete window lacked, is
    /// identified by its content.
    package var externalID: String
    /// `nil` until the sample arrives.
    package var content: Content?
    /// The date of the complete window that lacked the sample; `nil` if the stream named it.
    package var windowDate: Instant?
    /// The version at which the stream named it; a sample of a higher version exists again. `nil` if the deletion is
    /// final.
    package var version: Int64?

    package init(
        provider: String, externalID: String, content: Content? = nil, windowDate: Instant? = nil, version: Int64? = nil
    ) {
        self.provider = provider
        self.externalID = externalID
        self.content = content
        self.windowDate = windowDate
        self.version = version
    }
}

/// An interval of which a change stream stated all samples of a type.
package struct KnownWindow: Sendable, Hashable {
    package var type: SampleType
    /// Half-open.
    package var start: Instant
    package var end: Instant
    /// The version of the statement: a sample of a lower version that it lacks does not exist.
    package var version: Int64

    package init(type: SampleType, start: Instant, end: Instant, version: Int64) {
        self.type = type
        self.start = start
        self.end = end
        self.version = version
    }
}
