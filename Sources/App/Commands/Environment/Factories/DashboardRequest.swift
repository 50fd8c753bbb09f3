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
    /// Starts runs and deliveries.
    package var deliveryActions: any DeliveryActions
    /// Imports files that the user sends with a form.
    package var importActions: any ImportActions
    /// The folder in which those files are received.
    package var uploadFolder: String
    /// Pairs and revokes the phones that deliver to the inbox.
    package var deviceActions: any DeviceActions
    /// Returns whether and where this process receives posts.
    package var reception: @Sendable () -> InboxReception
    package var clock: DayClock
    /// The metrics that the program knows.
    package var catalog: MetricCatalog
    /// Returns the notices on every page.
    package var notices: @Sendable () async -> PageNotices
    /// The port on the loopback address; 0 selects a free port.
    package var port: UInt16
    /// Whether to open the user's browser.
    package var opensBrowser: Bool
    /// Calls `show` with each request that replaces this one, because days are in another zone since then, until the task is
    /// cancelled. The address and the port do not change.
    package var follow: @Sendable (_ show: @escaping @Sendable (DashboardRequest) -> Void) async throws -> Void
    /// Called once with the address, when the dashboard accepts requests.
    package var ready: @Sendable (_ address: String) -> Void

    package init(
        open: OpenEngine, shoeActions: any ShoeActions, outboxActions: any OutboxActions,
        deliveryActions: any DeliveryActions, importActions: any ImportActions, uploadFolder: String,
        deviceActions: any DeviceActions,
        reception: @escaping @Sendable () -> InboxReception, clock: DayClock, catalog: MetricCatalog,
        notices: @escaping @Sendable () async -> PageNotices, port: UInt16, opensBrowser: Bool,
        follow: @escaping @Sendable (_ show: @escaping @Sendable (DashboardRequest) -> Void) async throws -> Void,
        ready: @escaping @Sendable (String) -> Void
    ) {
        self.importActions = importActions
        self.uploadFolder = uploadFolder
        self.follow = follow
        self.open = open
        self.shoeActions = shoeActions
        self.outboxActions = outboxActions
        self.deliveryActions = deliveryActions
        self.deviceActions = deviceActions
        self.reception = reception
        self.clock = clock
        self.catalog = catalog
        self.notices = notices
        self.port = port
        self.opensBrowser = opensBrowser
        self.ready = ready
    }
}
