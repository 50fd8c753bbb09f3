package import HealthSyncDomain
package import HealthSyncPorts

/// The parameters of the dashboard.
package struct DashboardRequest: Sendable {
    /// Reads the database, also during other runs.
    package var open: OpenEngine
    /// Changes shoes, each time under the run lock.
    package var shoeActions: any ShoeActions
    /// Changes the outbox, each time under the run lock.
    package var outboxActions: any OutboxActions
    /// Pairs and revokes the phones that deliver to the inbox.
    package var deviceActions: any DeviceActions
    /// Returns whether and where this process receives posts.
    package var reception: @Sendable () -> InboxReception
    package var clock: DayClock
    /// The metrics that the program knows.
    package var catalog: MetricCatalog
    /// Returns the notice at the top of every page; `nil` for none.
    package var notice: @Sendable () async -> String?
    /// The port on the loopback address; 0 selects a free port.
    package var port: UInt16
    /// Whether to open the user's browser.
    package var opensBrowser: Bool
    /// Called once with the address, when the dashboard accepts requests.
    package var ready: @Sendable (_ address: String) -> Void

    package init(
        open: OpenEngine, shoeActions: any ShoeActions, outboxActions: any OutboxActions,
        deviceActions: any DeviceActions, reception: @escaping @Sendable () -> InboxReception, clock: DayClock,
        catalog: MetricCatalog, notice: @escaping @Sendable () async -> String?, port: UInt16, opensBrowser: Bool,
        ready: @escaping @Sendable (String) -> Void
    ) {
        self.open = open
        self.shoeActions = shoeActions
        self.outboxActions = outboxActions
        self.deviceActions = deviceActions
        self.reception = reception
        self.clock = clock
        self.catalog = catalog
        self.notice = notice
        self.port = port
        self.opensBrowser = opensBrowser
        self.ready = ready
    }
}
