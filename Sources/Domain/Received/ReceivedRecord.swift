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

/// A stored record, with the times at which the server created and last changed it.
package struct StoredRecord: Hashable, Sendable {
    package var record: ReceivedRecord
    package var createdAt: Instant
    package var updatedAt: Instant

    package init(record: ReceivedRecord, createdAt: Instant, updatedAt: Instant) {
        self.record = record
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// A query for stored records, ordered by day, start and id.
package struct RecordQuery: Hashable, Sendable {
    package var user: UserName
    package var kind: RecordKind
    /// Only the record with this id.
    package var id: String?
    /// Only entries of this metric.
    package var type: String?
    /// Only `hour` or `day` entries.
    package var granularity: String?
    /// Only this day and later ones.
    package var from: CalendarDay?
    /// Only this day and earlier ones.
    package var through: CalendarDay?
    /// Whether the order is reversed.
    package var isDescending = false
    /// The number of records to skip.
    package var offset = 0
    /// The maximum number of records.
    package var limit = 100

    package init(user: UserName, kind: RecordKind) {
        self.user = user
        self.kind = kind
    }
}

/// A selection of records or tombstones of a user that are processed one by one.
package struct RecordScan: Hashable, Sendable {
    package var user: UserName
    package var kind: RecordKind
    /// Whether tombstones are selected instead of records. They have no day.
    package var isOfTombstones = false
    /// Only records of this day and later ones.
    package var from: CalendarDay?
    /// Only records of this day and earlier ones.
    package var through: CalendarDay?
    /// If set, selects a page: at most `limit` records whose id follows `after`, ordered by the UTF-8 bytes of
    /// the ids.
    package var page: Page?

    /// A page of a list that is ordered by id.
    package struct Page: Hashable, Sendable {
        package var after: String
        package var limit: Int

        package init(after: String, limit: Int) {
            self.after = after
            self.limit = limit
        }
    }

    package init(user: UserName, kind: RecordKind) {
        self.user = user
        self.kind = kind
    }
}
