package import HealthSyncPorts

/// What the endpoints work with.
package struct ReceiverServices: Sendable {
    package var store: any ReceivedDataStore
    package var hasher: any ContentHasher
    package var time: any TimeSource
    package var limits: ServerLimits
    /// The program's version.
    package var version: String

    package init(
        store: any ReceivedDataStore, hasher: any ContentHasher, time: any TimeSource, limits: ServerLimits,
        version: String
    ) {
        self.store = store
        self.hasher = hasher
        self.time = time
        self.limits = limits
        self.version = version
    }
}
