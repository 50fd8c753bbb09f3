package import HealthSyncDomain
package import HealthSyncPorts

/// The records, the clock and the log of the pages.
package struct DashboardSources: Sendable {
    /// The records of a user.
    package var repository: @Sendable (UserName) -> any HealthRepository
    /// The metrics that the program knows. Records of others are also shown, with titles derived from their names.
    package var catalog: MetricCatalog
    /// The zone of the viewers' days, unless it follows from their records.
    package var clock: DayClock
    /// Returns the rules of a zone, if the zone of the days follows from the records of each viewer, as on a server.
    package var rulesOfViewers: (@Sendable (String) throws(UnknownTimeZone) -> ZoneRules)?
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
