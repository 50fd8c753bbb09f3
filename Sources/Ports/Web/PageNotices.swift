/// Notices on every page.
package struct PageNotices: Hashable, Sendable {
    /// A notice at the top of the page; `nil` for none.
    package var top: String?
    /// A quiet line in the footer, about the time zone of the days; `nil` for none.
    package var zone: String?

    package init(top: String? = nil, zone: String? = nil) {
        self.top = top
        self.zone = zone
    }
}
