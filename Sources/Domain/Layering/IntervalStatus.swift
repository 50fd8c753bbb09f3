/// Where an interval is on its way to one server.
package enum IntervalState: String, Hashable, Sendable, CaseIterable {
    /// The server has every sample of it.
    case synced
    /// Something of it waits in the outbox or is under way.
    case waiting
    /// The server refused samples of it; they are dead letters.
    case refused
    /// It was not offered to the server, or what was refused of it was dropped.
    case local
}

/// An interval and where it is on its way to one server.
package struct IntervalStatus: Hashable, Sendable {
    package var interval: SyncInterval
    package var state: IntervalState
    /// When the server's answer made it synced.
    package var syncedAt: Instant?
    /// Samples of it that are dead letters.
    package var refusedCount: Int

    package init(interval: SyncInterval, state: IntervalState, syncedAt: Instant? = nil, refusedCount: Int = 0) {
        self.interval = interval
        self.state = state
        self.syncedAt = syncedAt
        self.refusedCount = refusedCount
    }
}
