/// A derived record, or the tombstone of one, as both sides of a verification see it: id, revision and a checksum of its
/// values, without the values.
package struct RecordEntry: Hashable, Sendable {
    /// The id by which servers know it.
    package var id: String
    /// The day under which servers list it; `nil` for a tombstone.
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
