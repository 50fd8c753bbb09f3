package import HealthSyncDomain

/// An action of the user on runs and delivery.
package enum DeliveryAction: String, Sendable, Hashable, CaseIterable {
    /// Import all configured sources and waiting posts, derive, and deliver.
    case sync
    /// Send the waiting items, also to a server to which delivery stopped until the user acts.
    case send
    /// Pause delivery, also for a run in progress.
    case pause
    /// End the pause and send the waiting items.
    case resume
    /// Compare the server with the local store.
    case verify
    /// Delete the intervals of raw samples.
    case clearIntervals = "clear-intervals"
    /// Delete the raw steps on the server, and the intervals.
    case clearServer = "clear-server"
}

/// The last action that the user started, and what became of it.
package struct StartedAction: Sendable, Hashable {
    package var action: DeliveryAction
    /// When it started; once it ended, when it ended.
    package var at: Instant
    /// The outcome in words; `nil` while the action is in progress.
    package var outcome: String?
    /// Whether the action did all that it is for.
    package var isGood = true

    package init(_ action: DeliveryAction, at: Instant) {
        self.action = action
        self.at = at
    }
}

/// Runs and delivery on behalf of the user of the pages. They work like the commands of the same names.
///
/// Contract: one action at a time. Pausing, ending a pause and deleting are complete when `start` returns; everything
/// else continues afterwards. Failures of an action are its outcome.
package protocol DeliveryActions: Sendable {
    /// Starts an action. Throws `.busy` while another one is in progress.
    func start(_ action: DeliveryAction) async throws
    /// Returns the last action; `nil` if none was started.
    func last() async -> StartedAction?
}

/// Actions of the user on rejected items. Each is one durable transaction, or throws and changes nothing; it throws
/// `.busy` while another run changes the database.
package protocol OutboxActions: Sendable {
    /// Lets the next run send the rejected items with `ids` again, or all for `nil`; returns how many.
    func retry(ids: [Int64]?) async throws -> Int
}
