public import HealthSyncDomain
public import HealthSyncPorts

/// The zones of Swift's Foundation for test clocks, which are the same on every machine.
extension TimeSource {
    /// Foundation's rules.
    public func zoneRules(named name: String) throws(UnknownTimeZone) -> ZoneRules { try ZoneRules(identifier: name) }

    /// Foundation's database, which has no folder.
    public func zoneDatabase(of name: String) -> ZoneDatabase { ZoneDatabase(folder: nil, version: nil) }
}
