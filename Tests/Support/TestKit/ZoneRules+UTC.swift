public import HealthSyncDomain

extension ZoneRules {
    /// Coordinated universal time.
    public static let utc = ZoneRules(identifier: "UTC", transitions: [], offsets: [0])
}
