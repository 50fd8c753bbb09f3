package import HealthSyncPorts

/// What the endpoints work with.
package struct ReceiverServices: Sendable {
    package var store: any ReceivedDataStore
    package var hasher: any ContentHasher
    package var time: any TimeSource
    package var limits: ServerLimits
    /// Told why a request was answered 500 or 503.
    package var log: any EventLog
    /// The program's version.
    package var version: String

    package init(
        store: any ReceivedDataStore, hasher: any ContentHasher, time: any TimeSource, limits: ServerLimits,
        log: any EventLog, version: String
    ) {
        self.store = store
        self.hasher = hasher
        self.time = time
        self.limits = limits
        self.log = log
        self.version = version
    }
}
