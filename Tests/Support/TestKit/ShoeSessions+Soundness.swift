package import HealthSyncDomain

extension ShoeSessions {
    /// Whether all sessions have a positive length, none overlap, and only the last one may be active.
    package var isSound: Bool {
        all.allSatisfy { $0.start < $0.interval.end }
            && zip(all, all.dropFirst()).allSatisfy { $0.interval.end <= $1.start }
    }
}
