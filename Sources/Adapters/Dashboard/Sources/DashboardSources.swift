package import HealthSyncDomain
package import HealthSyncPorts

/// The records, the clock and the log of the pages.
package struct DashboardSources: Sendable {
    /// The records of a user.
    package var repository: @Sendable (UserName) -> any HealthRepository
    /// The metrics that the program knows. Records of others are also shown, with titles derived from their names.
    package var catalog: MetricCatalog
    /// The zone of the viewers' days.
    package var clock: DayClock
    package var time: any TimeSource
    /// Receives the reason if a page cannot be shown.
    package var log: any EventLog
    /// The notices on every page.
    package var notices: @Sendable () async -> PageNotices

    package init(
        repository: @escaping @Sendable (UserName) -> any HealthRepository, catalog: MetricCatalog = MetricCatalog(),
        clock: DayClock, time: any TimeSource, log: any EventLog,
        notices: @escaping @Sendable () async -> PageNotices = { PageNotices() }
    ) {
        self.notices = notices
        self.repository = repository
        self.catalog = catalog
        self.clock = clock
        self.time = time
        self.log = log
    }
}
