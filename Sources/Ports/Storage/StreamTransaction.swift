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
