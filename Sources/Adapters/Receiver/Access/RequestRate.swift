import HealthSyncDomain
import Synchronization

/// How many requests an address may make: so many a minute, and those of a whole minute at once after a silence.
final class RequestRate: Sendable {
    private let limit: ServerLimits.PerAddress
    // Until when, in microseconds, each address has used up its share; what lies before the present is given back.
    private let usedUntil = Mutex<[String: Int64]>([:])

    private static let minute: Int64 = 60_000_000
    private static let largestTable = 10_000

    init(_ limit: ServerLimits.PerAddress) { self.limit = limit }

    /// Counts one more request from `address`, or, where that is too many, returns after how many seconds it may come.
    func secondsToWait(_ address: String, at instant: Instant) -> Int64? {
        guard limit.holds(for: address) else { return nil }
        let now = instant.milliseconds * 1_000
        let share = Self.minute / Int64(max(1, limit.count))
        return usedUntil.withLock { usedUntil in
            if usedUntil.count >= Self.largestTable, usedUntil[address] == nil {
                usedUntil = usedUntil.filter { $0.value > now }
                // Still full: an attack from many addresses; each begins anew.
                if usedUntil.count >= Self.largestTable { usedUntil.removeAll() }
            }
            let used = max(usedUntil[address] ?? now, now) + share
            let excess = used - now - Self.minute
            guard excess <= 0 else { return (excess + 999_999) / 1_000_000 }
            usedUntil[address] = used
            return nil
        }
    }
}
