package import HealthSyncDomain
package import HealthSyncPorts

/// What the pages are made from.
package struct DashboardSources: Sendable {
    /// The records of a user.
    package var repository: @Sendable (UserName) -> any HealthRepository
    /// Which instants make the viewers' days.
    package var clock: DayClock
    package var time: any TimeSource
    /// Told why a page could not be shown.
    package var log: any EventLog

    package init(
        repository: @escaping @Sendable (UserName) -> any HealthRepository, clock: DayClock, time: any TimeSource,
        log: any EventLog
    ) {
        self.repository = repository
        self.clock = clock
        self.time = time
        self.log = log
    }
}
