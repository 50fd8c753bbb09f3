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
