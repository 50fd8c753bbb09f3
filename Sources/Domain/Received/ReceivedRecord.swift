/// A derived record (a sleep session, an entry of a metric, a snapshot) as a receiving server stores it, or a tombstone
/// if `isDeleted`.
package struct ReceivedRecord: Hashable, Sendable {
    /// The id that the client chose, unique for user and kind.
    package var id: String
    /// Higher revisions replace lower ones; 0 by default.
    package var revision: Int64
    /// Whether this is a tombstone. Its other members are then empty.
    package var isDeleted: Bool
    /// The metric of a progress entry; empty for other kinds.
    package var type: String
    /// `hour` or `day` for a progress entry; empty for other kinds.
    package var granularity: String
    /// The calendar day it belongs to.
    package var day: CalendarDay
    /// The start of the record, by default that of its day in UTC.
    package var start: Instant
    /// The record's members as one canonical JSON object.
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

    /// Returns a tombstone that deletes `id` with `revision`.
    package static func tombstone(_ id: String, revision: Int64) -> ReceivedRecord {
        ReceivedRecord(
            id: id, revision: revision, isDeleted: true, day: CalendarDay(ordinal: 0), start: Instant(milliseconds: 0),
            body: [])
    }
}
