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
    /// What a viewer is to know before every page; `nil` for nothing.
    package var notice: @Sendable () async -> String?

    package init(
        repository: @escaping @Sendable (UserName) -> any HealthRepository, clock: DayClock, time: any TimeSource,
        log: any EventLog, notice: @escaping @Sendable () async -> String? = { nil }
    ) {
        self.notice = notice
        self.repository = repository
        self.clock = clock
        self.time = time
        self.log = log
    }
}
