/// A derived record or tombstone in a verification: id, revision and a checksum of the values, without the values.
package struct RecordEntry: Hashable, Sendable {
    /// The id of the record on servers.
    package var id: String
    /// The day under which servers list the record; `nil` for a tombstone.
    package var day: CalendarDay?
    package var revision: Int
    /// The checksum of id, revision and values (`RecordContent`).
    package var content: UInt64

    package init(id: String, day: CalendarDay?, revision: Int, content: UInt64) {
        self.id = id
        self.day = day
        self.revision = revision
        self.content = content
    }
}
