/// A derived record (a sleep session, an entry of a metric, a snapshot) as a receiving server keeps it, or, where
/// `isDeleted`, the mark that it was deleted.
package struct ReceivedRecord: Hashable, Sendable {
    /// The client's id of it, unique for user and kind.
    package var id: String
    /// Higher revisions replace lower ones; 0 where the client states none.
    package var revision: Int64
    /// Whether this revision deletes the record; the rest is empty then.
    package var isDeleted: Bool
    /// The metric of a progress entry; empty for other kinds.
    package var type: String
    /// `hour` or `day` for a progress entry; empty for other kinds.
    package var granularity: String
    /// The calendar day it belongs to.
    package var day: CalendarDay
    /// Its first instant; the day's start in UTC where it states none.
    package var start: Instant
    /// Canonical JSON of the record's own members: one object.
    package var body: [UInt8]

    package init(
        id: String, revision: Int64 = 0, isDeleted: Bool = false, type: String = "", granularity: String = "",
        day: CalendarDay, start: Instant, body: [UInt8]
    ) {
        self.id = id
        self.revision = revision
        self.isDeleted = isDeleted
        self.type = type
        self.granularity = granularity
        self.day = day
        self.start = start
        self.body = body
    }

    /// The mark that deletes `id` at `revision`.
    package static func tombstone(_ id: String, revision: Int64) -> ReceivedRecord {
        ReceivedRecord(
            id: id, revision: revision, isDeleted: true, day: CalendarDay(ordinal: 0), start: Instant(milliseconds: 0),
            body: [])
    }
}
