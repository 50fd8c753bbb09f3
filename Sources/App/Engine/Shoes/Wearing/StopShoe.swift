package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Ends the active session now. No shoe starts automatically on the rest of the day.
    package func stopShoe() async throws -> ShoeSwitch {
        let before = try await ports.shoes.sessions()
        let now = ports.time.now()
        try checkClock(now, against: before)
        guard let active = before.active else {
            throw SyncFailure(
                .usage, subject: "", reason: "no shoe is being worn",
                advice: "start one with `healthsync shoes start SHOE`")
        }
        var after = before
        after.stop(at: now)
        var change = ShoeChange(from: before, to: after)
        change.settled = [SettledHours(day: settings.clock.day(of: now), start: now)]
        try await store(change, leadingTo: after)
        return ShoeSwitch(stopped: after.all.first { $0.id == active.id })
    }
}
