package import HealthSyncDomain
import Synchronization

/// The zone rules of the system: its time zone files, or Foundation's rules for a zone that has no file.
package final class SystemZones: Sendable {
    private let folders: ZoneFolders
    private let known = Mutex<[String: ZoneRules]>([:])

    package init(folders: ZoneFolders) { self.folders = folders }

    /// Returns the rules of the zone `name`; throws `UnknownTimeZone` if it does not exist. Each file is read once.
    package func rules(named name: String) throws(UnknownTimeZone) -> ZoneRules {
        if let rules = known.withLock({ $0[name] }) { return rules }
        guard ZoneRules.isIANAName(name) else { throw UnknownTimeZone(identifier: name) }
        let rules: ZoneRules
        if let (_, file) = folders.file(named: name) {
            rules = file.rules(identifier: name)
        } else {
            rules = try ZoneRules(identifier: name)
        }
        known.withLock { $0[name] = rules }
        return rules
    }

    /// Returns the origin of the rules of the zone `name`.
    package func database(of name: String) -> ZoneDatabase {
        guard ZoneRules.isIANAName(name), let (folder, _) = folders.file(named: name) else {
            return ZoneDatabase(folder: nil, version: nil)
        }
        return ZoneDatabase(folder: folder, version: folders.version(of: folder))
    }
}
