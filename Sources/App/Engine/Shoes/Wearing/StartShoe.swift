package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Starts a session now with a shoe, or with the default one for `nil`, and ends the active session. An archived
    /// shoe or one that is already being worn is rejected.
    package func startShoe(_ id: Shoe.ID?) async throws -> ShoeSwitch {
        let shoe: Shoe
        if let id { shoe = try await wearableShoe(id) } else { shoe = try await defaultShoe() }
        let before = try await ports.shoes.sessions()
        let now = ports.time.now()
        try checkClock(now, against: before)
        guard before.active?.shoe != shoe.id else {
            throw SyncFailure(
                .usage, subject: shoe.name, reason: "is already being worn",
                advice: "end it with `healthsync shoes stop`")
        }
        var after = before
        after.start(shoe.id, at: now, newID: newID)
        try await store(ShoeChange(from: before, to: after), leadingTo: after)
        let stopped = before.active.flatMap { session in after.all.first { $0.id == session.id } }
        return ShoeSwitch(started: after.active, stopped: stopped)
    }

    private func defaultShoe() async throws -> Shoe {
        guard let shoe = try await ports.shoes.shoes().first(where: \.isDefault) else {
            throw SyncFailure(
                .usage, subject: "SHOE", reason: "no shoe was named, and there is no default",
                advice: "name one, or choose a default with `healthsync shoes default SHOE`")
        }
        return shoe
    }
}
