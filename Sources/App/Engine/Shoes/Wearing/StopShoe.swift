package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Takes off, now, what is worn. On the rest of the day no shoe starts by itself.
    package func stopShoe() async throws -> ShoeSwitch {
        let before = try await ports.shoes.sessions()
        let now = ports.time.now()
        try checkClock(now, against: before)
        guard let active = before.active else {
            throw SyncFailure(
                .usage, subject: "", reason: "no shoe is being worn",
                advice: "put one on with `healthsync shoes start SHOE`")
        }
        var after = before
        after.stop(at: now)
        var change = ShoeChange(from: before, to: after)
        change.settled = [SettledStretch(day: settings.clock.day(of: now), start: now)]
        try await store(change, leadingTo: after)
        return ShoeSwitch(stopped: after.all.first { $0.id == active.id })
    }
}
