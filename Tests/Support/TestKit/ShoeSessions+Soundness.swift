package import HealthSyncDomain

extension ShoeSessions {
    /// Whether every session has length, no two share time and none but the last is active.
    package var isSound: Bool {
        all.allSatisfy { $0.start < $0.interval.end }
            && zip(all, all.dropFirst()).allSatisfy { $0.interval.end <= $1.start }
    }
}
