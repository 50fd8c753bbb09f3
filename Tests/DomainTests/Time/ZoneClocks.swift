import HealthSyncDomain
import Synchronization

/// The clocks of zones, which are cached, because creating the table of a zone takes longer than a test case.
enum ZoneClocks {
    private static let known = Mutex<[String: DayClock]>([:])

    /// Returns the clock of the IANA zone `name`.
    ///
    /// - Throws: `UnknownTimeZone`.
    static func clock(_ name: String) throws -> DayClock {
        try known.withLock { known in
            if let clock = known[name] { return clock }
            let clock = DayClock(home: try ZoneRules(identifier: name))
            known[name] = clock
            return clock
        }
    }
}
