/// The delivery state of an interval at one server.
package enum IntervalState: String, Hashable, Sendable, CaseIterable {
    /// The server has every sample of the interval.
    case synced
    /// Some of it is queued in the outbox or in flight.
    case waiting
    /// The server rejected some of its samples; they are dead letters.
    case rejected = "refused"
    /// It was not offered to the server, or its rejected samples were discarded.
    case local
}

/// An interval and its delivery state at one server.
package struct IntervalStatus: Hashable, Sendable {
    package var interval: SyncInterval
    package var state: IntervalState
    /// When the server's response completed the interval.
    package var syncedAt: Instant?
    /// The number of its samples that are dead letters.
    package var rejectedCount: Int

    /// Whether the interval is synced because it contains no samples, so that nothing is sent.
    package var isSyncedWithoutSamples: Bool { state == .synced && interval.figures.sampleCount == 0 }

    package init(interval: SyncInterval, state: IntervalState, syncedAt: Instant? = nil, rejectedCount: Int = 0) {
        self.interval = interval
        self.state = state
        self.syncedAt = syncedAt
        self.rejectedCount = rejectedCount
    }
}
