import HealthSyncDomain
import HealthSyncPorts

extension DeliveryRun {
    /// Waits until something can be sent; returns false if there is nothing, or not before the deadline.
    func waitForMore() async throws -> Bool {
        guard ending == nil else { return false }
        let now = delivery.time.now()
        if holdUntil > now { return await wait(until: holdUntil) }
        // Postponed after a failure, or leased by a run that may have ended.
        guard let due = try await delivery.store.nextAttempt(destination: delivery.destination) else { return false }
        return await wait(until: max(due, now.advanced(byMilliseconds: Self.shortestWait)))
    }

    /// Waits until `instant`; returns false and sets `ending` if it is after the deadline or the task is cancelled.
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

    /// In milliseconds: what has just become due is found by the next claim.
    private static let shortestWait: Int64 = 10
}
