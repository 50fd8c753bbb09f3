import HealthSyncDomain
import HealthSyncPorts

extension DeliveryRun {
    /// Waits for the next thing that can be sent; false when there is none, or not before the deadline.
    func waitForMore() async throws -> Bool {
        guard ending == nil else { return false }
        let now = delivery.time.now()
        if holdUntil > now { return await wait(until: holdUntil) }
        if let due = waiting.values.min() {
            guard await wait(until: due) else { return false }
            // What is due and still not to be claimed then was taken over by another sender.
            waiting = waiting.filter { $0.value > due }
            return true
        }
        // A sender that died holds its leases until they run out.
        let counts = try await delivery.store.counts(destination: delivery.destination)
        guard counts[.leased] ?? 0 > 0,
            now <= startedAt.advanced(byMilliseconds: delivery.options.leaseMilliseconds + Self.pollMilliseconds)
        else { return false }
        return await wait(until: now.advanced(byMilliseconds: Self.pollMilliseconds))
    }

    /// Waits until `instant`; false, and the reason in `ending`, when that is after the deadline or the user stops.
    func wait(until instant: Instant) async -> Bool {
        let now = delivery.time.now()
        guard instant > now else { return true }
        guard instant < deadline else {
            ending = .waiting(until: instant)
            return false
        }
        do {
            try await delivery.time.wait(milliseconds: instant.milliseconds - now.milliseconds)
            return true
        } catch {
            ending = .cancelled
            return false
        }
    }

    private static let pollMilliseconds: Int64 = 1_000
}
