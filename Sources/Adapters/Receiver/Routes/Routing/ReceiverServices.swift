import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// The services that endpoints use.
package struct ReceiverServices: Sendable {
    package var store: any ReceivedDataStore
    package var hasher: any ContentHasher
    package var time: any TimeSource
    package var limits: ServerLimits
    /// Receives the causes of responses with status 500 and 503.
    package var log: any EventLog
    /// The program's version.
    package var version: String
    /// The posts of phones that wait; `nil` if the server has no inboxes.
    package var inboxes: UserInboxes?
    /// Where requests wait to be decoded: on all cores, and users take turns.
    package var decoding = TurnGate<UserName>(places: ProcessInfo.processInfo.activeProcessorCount)

    package init(
        store: any ReceivedDataStore, hasher: any ContentHasher, time: any TimeSource, limits: ServerLimits,
        log: any EventLog, version: String, inboxes: UserInboxes? = nil
    ) {
        self.store = store
        self.hasher = hasher
        self.time = time
        self.limits = limits
        self.log = log
        self.version = version
        self.inboxes = inboxes
    }
}
