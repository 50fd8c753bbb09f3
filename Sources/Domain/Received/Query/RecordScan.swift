/// Which records of a user, or tombstones of records, are gone through one after the other.
package struct RecordScan: Hashable, Sendable {
    package var user: UserName
    package var kind: RecordKind
    /// Whether tombstones are asked for in place of records. They have no day.
    package var isOfTombstones = false
    /// Only records of this day and later ones.
    package var from: CalendarDay?
    /// Only records of this day and earlier ones.
    package var through: CalendarDay?
    /// Where a page is asked for: at most `limit` records whose id follows `after`, in order of the ids' UTF-8 bytes.
    package var page: Page?

    /// A part of a list by id.
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
