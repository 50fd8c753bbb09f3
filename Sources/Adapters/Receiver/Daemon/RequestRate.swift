import HealthSyncDomain
import Synchronization

/// Limits the requests a minute from each address. After an idle minute, all requests of a minute may come at once.
final class RequestRate: Sendable {
    private let limit: ServerLimits.PerAddress
    // For each address, the time in microseconds until which its requests use up the limit. Time that has passed is
    // free again.
    private let usedUntil = Mutex<[String: Int64]>([:])

    private static let minute: Int64 = 60_000_000
    private static let largestTable = 10_000

    init(_ limit: ServerLimits.PerAddress) { self.limit = limit }

    /// Counts a request from `address`, the key of a client. If it exceeds the limit, it is not counted, and the result is the number of
    /// seconds after which the client may try again.
    func secondsToWait(_ address: String, at instant: Instant) -> Int64? {
        guard limit.applies(to: address) else { return nil }
        let now = instant.milliseconds * 1_000
        let share = Self.minute / Int64(max(1, limit.count))
        return usedUntil.withLock { usedUntil in
            if usedUntil.count >= Self.largestTable, usedUntil[address] == nil {
                usedUntil = usedUntil.filter { $0.value > now }
                // Still full: an attack from many addresses. Start over with an empty table.
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
