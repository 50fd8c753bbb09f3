package import HealthSyncDomain

/// What change streams deleted and stated, and what feeds cover, within one transaction of `SamplePageStore`.
package protocol StreamTransaction {
    /// Returns what change streams deleted of `type` on the UTC days `days`, as far as its content is known.
    func deletedRows(of type: SampleType, utcDays days: DayRange) throws -> [DeletedRow]
    /// Whether the change stream `provider` deleted samples.
    func hasDeletedRows(provider: String) throws -> Bool
    /// Returns what the change stream `provider` deleted under the identifier.
    func deletedRow(provider: String, externalID: String) throws -> DeletedRow?
    /// Stores `row`, replacing that of the same provider and identifier.
    func putDeletedRow(_ row: DeletedRow) throws
    /// Deletes the row: the sample exists again.
    func removeDeletedRow(provider: String, externalID: String) throws
    /// Returns the complete windows of the change stream `provider`, ordered by type, start and end.
    func knownWindows(provider: String) throws -> [KnownWindow]
    /// Stores a complete window and deletes those that it replaces: windows of its type and of no higher version within
    /// it.
    func putKnownWindow(_ window: KnownWindow, provider: String) throws
    /// Deletes the windows of lower versions.
    func removeKnownWindows(provider: String, before version: Int64) throws
    /// Returns the stored parts of windows of `provider`, ordered by start, end and version.
    func windowParts(provider: String) throws -> [WindowPart]
    /// Stores a part of a window, replacing that of the same window and version.
    func putWindowPart(_ part: WindowPart, provider: String) throws
    /// Deletes the parts of the window up to a version.
    func removeWindowParts(provider: String, start: Instant, end: Instant, upTo version: Int64) throws
    /// Returns what each feed and change stream has covered, of all providers, ordered by provider, type and source.
    func feedWindows() throws -> [FeedWindow]
    /// Stores a window, replacing that of the same provider, type and source.
    func putFeedWindow(_ window: FeedWindow) throws
    /// Replaces the numbers of samples that start on the UTC day `utcDay` and that no feed sent, by the user's calendar
    /// day.
    func setUnsentSamples(_ counts: [CalendarDay: Int], of type: SampleType, utcDay: CalendarDay) throws
}

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

/// The time for which a feed or change stream has sent samples of a type and source. An export may contain more samples
/// in it: those that the app never sent.
package struct FeedWindow: Sendable, Hashable {
    package var provider: String
    package var type: SampleType
    /// The name of the source as `UnsentSamples.comparedName` spells it; `nil` for sums over all sources.
    package var sourceName: String?
    /// The start of the first sample.
    package var first: Instant
    /// The end of the last sample.
    package var last: Instant

    package init(provider: String, type: SampleType, sourceName: String?, first: Instant, last: Instant) {
        self.provider = provider
        self.type = type
        self.sourceName = sourceName
        self.first = first
        self.last = last
    }
}
