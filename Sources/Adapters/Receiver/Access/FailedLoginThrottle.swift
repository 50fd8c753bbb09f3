import HealthSyncDomain
import Synchronization

/// Computes how long the response to a failed login is delayed: longer with each failure from the same address.
final class FailedLoginThrottle: Sendable {
    private struct Failures {
        var count: Int
        var lastAt: Instant
    }

    private let failures = Mutex<[String: Failures]>([:])

    private static let largestTable = 10_000
    private static let retentionMilliseconds: Int64 = 15 * 60_000
    private static let longestDelay: Int64 = 8_000

    /// Records a failure and returns the delay in milliseconds: 250, 500, 1000 and so on up to 8 s.
    func delayAfterFailure(from address: String, at now: Instant) -> Int64 {
        let address = ClientAddress.network(of: address)
        return failures.withLock { failures in
            if failures.count >= Self.largestTable {
                failures = failures.filter { isRemembered($0.value, at: now) }
                // Still full of recent failures: an attack from many addresses. Start over with an empty table.
                if failures.count >= Self.largestTable { failures.removeAll() }
            }
            let earlier = failures[address].flatMap { isRemembered($0, at: now) ? $0.count : nil } ?? 0
            failures[address] = Failures(count: earlier + 1, lastAt: now)
            return min(Self.longestDelay, 250 << Int64(min(earlier, 10)))
        }
    }

    /// Forgets the failures from `address` after a successful login.
    func reset(_ address: String) { failures.withLock { $0[ClientAddress.network(of: address)] = nil } }

    private func isRemembered(_ failures: Failures, at now: Instant) -> Bool {
        now < failures.lastAt.advanced(byMilliseconds: Self.retentionMilliseconds)
    }
}
