package import HealthSyncDomain
package import HealthSyncEngine
package import HealthSyncPorts

/// A command's request to open an engine.
package struct EngineRequest: Sendable {
    /// How the database is opened.
    package enum Access: Sendable {
        /// Opened for writing under the run lock, and created if it does not exist.
        case writing
        /// Opened read-only, also during another run. Throws `.noInput` if it does not exist.
        case reading
    }

    package var settings: Settings
    /// Provides the user profile's id, generated at first use. Call it while this run holds the lock.
    package var userProfile: UserProfile
    package var engineSettings: EngineSettings
    package var access: Access
    package var log: any EventLog
    package var progress: any ProgressReporter

    package init(
        settings: Settings, userProfile: UserProfile, engineSettings: EngineSettings, access: Access, log: any EventLog,
        progress: any ProgressReporter
    ) {
        self.settings = settings
        self.userProfile = userProfile
        self.engineSettings = engineSettings
        self.access = access
        self.log = log
        self.progress = progress
    }
}

/// An open engine and its resources.
package struct OpenEngine: Sendable {
    package let engine: SyncEngine
    /// The stores, which the pages of the dashboard read.
    package let ports: EnginePorts
    /// Closes the database and releases the lock. Call it once, after the last use.
    package let close: @Sendable () async -> Void

    package init(ports: EnginePorts, settings: EngineSettings, close: @escaping @Sendable () async -> Void) {
        engine = SyncEngine(ports: ports, settings: settings)
        self.ports = ports
        self.close = close
    }
}

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
