public import HealthSyncDomain
public import HealthSyncPorts

/// Zones of a clock that a test sets: those of Swift's Foundation, on every machine the same.
extension TimeSource {
    /// Foundation's rules.
    public func zoneRules(named name: String) throws(UnknownTimeZone) -> ZoneRules { try ZoneRules(identifier: name) }

    /// Foundation's database, which has no folder.
    public func zoneDatabase(of name: String) -> ZoneDatabase { ZoneDatabase(folder: nil, version: nil) }
}
