import HealthSyncDomain
import Synchronization

/// How long the answer to a failed login waits: longer with every failure from the same address.
final class FailedLoginThrottle: Sendable {
    private struct Failures {
        var count: Int
        var lastAt: Instant
    }

    private let failures = Mutex<[String: Failures]>([:])

    private static let largestTable = 10_000
    private static let forgottenAfterMilliseconds: Int64 = 15 * 60_000
    private static let longestDelay: Int64 = 8_000

    /// Notes one more failure and returns the milliseconds to wait: 250, 500, 1000 and so on to 8 s.
    func delayAfterFailure(from address: String, at now: Instant) -> Int64 {
        failures.withLock { failures in
            if failures.count >= Self.largestTable {
                failures = failures.filter { isRemembered($0.value, at: now) }
                // Still full of fresh ones: an attack from many addresses; each begins anew.
                if failures.count >= Self.largestTable { failures.removeAll() }
            }
            let known = failures[address].flatMap { isRemembered($0, at: now) ? $0.count : nil } ?? 0
            failures[address] = Failures(count: known + 1, lastAt: now)
            return min(Self.longestDelay, 250 << Int64(min(known, 10)))
        }
    }

    /// A good login from the address.
    func forget(_ address: String) { failures.withLock { $0[address] = nil } }

    private func isRemembered(_ failures: Failures, at now: Instant) -> Bool {
        now < failures.lastAt.advanced(byMilliseconds: Self.forgottenAfterMilliseconds)
    }
}
