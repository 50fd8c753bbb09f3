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

    /// Waits until `instant`; returns false and sets `ending` if it is after the deadline, the run has waited long enough
    /// for this destination, or the task is cancelled.
    func wait(until instant: Instant) async -> Bool {
        let now = delivery.time.now()
        guard instant > now else { return true }
        guard instant < deadline, !exceedsPatience(instant) else {
            ending = .waiting(until: instant)
            return false
        }
        defer { endPhase() }
        do {
            // In steps, so that the remaining seconds can be shown.
            var left = instant.milliseconds - now.milliseconds
            while left > 0 {
                showWait(milliseconds: left)
                let step = min(left, Self.shownStep)
                try await delivery.time.wait(milliseconds: step)
                left -= step
            }
            return true
        } catch {
            ending = .cancelled
            return false
        }
    }

    private func exceedsPatience(_ instant: Instant) -> Bool {
        guard report.trouble != nil, let patience = delivery.options.patienceMilliseconds else { return false }
        return instant > answeredAt.advanced(byMilliseconds: patience)
    }

    /// Reports `waiting for health.example: cannot connect, try 4, again in 12 s (Ctrl-C keeps everything)`.
    private func showWait(milliseconds: Int64) {
        guard let trouble = report.trouble else { return }
        let phase = "waiting for \(Self.host(of: delivery.destination)): \(trouble)"
        if phase != waitingPhase { endPhase() }
        waitingPhase = phase
        let seconds = DurationText.exact(milliseconds: (milliseconds + 999) / 1_000 * 1_000, isWhole: true)
        delivery.progress.report(
            phase: phase, done: 0, total: nil,
            detail: "try \(state.consecutiveFailures), again in \(seconds) (Ctrl-C keeps everything)")
    }

    private func endPhase() {
        if let waitingPhase { delivery.progress.report(phase: waitingPhase, done: 0, total: 0) }
        waitingPhase = nil
    }

    /// Returns the host of an address, without its scheme and path; the whole text if it is not a URL.
    private static func host(of address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return address }
        return String(address[scheme.upperBound...].prefix { $0 != "/" })
    }

    /// In milliseconds: how often the remaining time is shown.
    private static let shownStep: Int64 = 1_000

    /// In milliseconds: what has just become due is found by the next claim.
    private static let shortestWait: Int64 = 10
}
