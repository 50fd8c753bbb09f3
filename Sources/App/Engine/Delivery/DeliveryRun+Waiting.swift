import HealthSyncDomain
import HealthSyncPorts

extension DeliveryRun {
    /// Waits for the next thing that can be sent; false when there is none, or not before the deadline.
    func waitForMore() async throws -> Bool {
        guard ending == nil else { return false }
        let now = delivery.time.now()
        if holdUntil > now { return await wait(until: holdUntil) }
        // Put off after a failure, by this run or an earlier one, or held by a sender that may have died.
        guard let due = try await delivery.store.nextAttempt(destination: delivery.destination) else { return false }
        return await wait(until: max(due, now.advanced(byMilliseconds: Self.shortestWait)))
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

    /// Milliseconds; what just became due is found by the next claim.
    private static let shortestWait: Int64 = 10
}
