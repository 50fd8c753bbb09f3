import HealthSyncDomain
import Synchronization

/// Remembers the rules of zones by name; a name that the time zone database does not know is remembered as unknown.
final class ZoneClockTable: Sendable {
    private let clocks = Mutex<[String: DayClock?]>([:])

    func clock(forZone name: String) -> DayClock? {
        clocks.withLock { clocks in
            if let known = clocks[name] { return known }
            let clock = (try? ZoneRules(identifier: name)).map { DayClock(home: $0) }
            clocks[name] = .some(clock)
            return clock
        }
    }
}
