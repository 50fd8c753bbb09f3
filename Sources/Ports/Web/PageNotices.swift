package import HealthSyncDomain

/// Notices on every page.
package struct PageNotices: Hashable, Sendable {
    /// The days that are not derived from the stored samples.
    package struct OutOfDate: Hashable, Sendable {
        package var count: Int
        /// From the first to the last of them.
        package var extent: DayRange
        /// The command that derives them.
        package var command: String

        package init(count: Int, extent: DayRange, command: String) {
            self.count = count
            self.extent = extent
            self.command = command
        }
    }

    /// A notice at the top of the page; `nil` for none.
    package var top: String?
    /// Shown at the top if there is no other notice; `nil` for none.
    package var outOfDate: OutOfDate?
    /// A quiet line in the footer, about the time zone of the days; `nil` for none.
    package var zone: String?
    /// A quiet line in the footer, about changes of the past; `nil` for none.
    package var history: String?

    package init(
        top: String? = nil, outOfDate: OutOfDate? = nil, zone: String? = nil, history: String? = nil
    ) {
        self.top = top
        self.outOfDate = outOfDate
        self.zone = zone
        self.history = history
    }
}
