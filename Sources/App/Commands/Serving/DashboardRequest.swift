package import HealthSyncDomain
package import HealthSyncEngine
package import HealthSyncPorts

/// What the dashboard is started with.
package struct DashboardRequest: Sendable {
    /// Reads the database while other runs are at work.
    package var engine: SyncEngine
    /// Changes shoes, each time under the run's lock.
    package var shoeActions: any ShoeActions
    /// Changes the outbox, each time under the run's lock.
    package var outboxActions: any OutboxActions
    package var clock: DayClock
    /// What a viewer is to know before every page; `nil` for nothing.
    package var notice: @Sendable () async -> String?
    /// Port of the loopback; 0 for any free one.
    package var port: UInt16
    /// Whether the viewer's browser is opened.
    package var opensBrowser: Bool
    /// Called once, with the address, when pages are answered.
    package var ready: @Sendable (_ address: String) -> Void

    package init(
        engine: SyncEngine, shoeActions: any ShoeActions, outboxActions: any OutboxActions, clock: DayClock,
        notice: @escaping @Sendable () async -> String?, port: UInt16, opensBrowser: Bool,
        ready: @escaping @Sendable (String) -> Void
    ) {
        self.engine = engine
        self.shoeActions = shoeActions
        self.outboxActions = outboxActions
        self.clock = clock
        self.notice = notice
        self.port = port
        self.opensBrowser = opensBrowser
        self.ready = ready
    }
}
