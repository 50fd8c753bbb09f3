package import HealthSyncDomain
package import HealthSyncPorts

/// The stores and actions of the pages of the local database, in addition to the records.
package struct LocalSources: Sendable {
    package var samples: any SamplePageStore
    package var intervals: any SyncIntervalStore
    package var outbox: any OutboxStore
    package var outboxActions: any OutboxActions
    /// Starts runs and deliveries.
    package var deliveryActions: any DeliveryActions
    /// The server whose state is shown; `nil` for none.
    package var server: @Sendable () async throws -> KnownServer?
    /// Whether the user paused delivery.
    package var hold: any DeliveryPause
    package var runs: any RunReader
    /// The last verification of the server at an address; `nil` without one.
    package var verification: @Sendable (String) async throws -> VerificationState?
    package var shoes: any ShoeReader
    package var shoeActions: any ShoeActions
    package var devices: DeviceSources
    /// Imports files that the user sends with a form, and receives them; `nil` for pages without such a form.
    package var imports: (any ImportActions)?
    package var uploads: (any FileUploads)?

    package init(
        samples: any SamplePageStore, intervals: any SyncIntervalStore, outbox: any OutboxStore,
        outboxActions: any OutboxActions, deliveryActions: any DeliveryActions,
        server: @escaping @Sendable () async throws -> KnownServer?, hold: any DeliveryPause, runs: any RunReader,
        verification: @escaping @Sendable (String) async throws -> VerificationState? = { _ in nil },
        shoes: any ShoeReader, shoeActions: any ShoeActions, devices: DeviceSources,
        imports: (any ImportActions)? = nil, uploads: (any FileUploads)? = nil
    ) {
        self.samples = samples
        self.intervals = intervals
        self.outbox = outbox
        self.outboxActions = outboxActions
        self.deliveryActions = deliveryActions
        self.server = server
        self.hold = hold
        self.runs = runs
        self.verification = verification
        self.shoes = shoes
        self.shoeActions = shoeActions
        self.devices = devices
        self.imports = imports
        self.uploads = uploads
    }
}

/// The server to which the local database is delivered.
package struct KnownServer: Sendable, Hashable {
    /// The base address.
    package var destination: String
    /// Whether it is the configured server; otherwise it is the only one in the database.
    package var isConfigured: Bool

    package init(destination: String, isConfigured: Bool) {
        self.destination = destination
        self.isConfigured = isConfigured
    }
}

/// What the page of devices uses.
package struct DeviceSources: Sendable {
    package var actions: any DeviceActions
    /// Encodes links and addresses for cameras.
    package var qrCodes: any QRCodeEncoder
    /// Returns whether and where posts are received now.
    package var reception: @Sendable () -> InboxReception

    package init(
        actions: any DeviceActions, qrCodes: any QRCodeEncoder, reception: @escaping @Sendable () -> InboxReception
    ) {
        self.actions = actions
        self.qrCodes = qrCodes
        self.reception = reception
    }
}
