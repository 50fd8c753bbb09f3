import Foundation
package import HealthSyncDomain
import HealthSyncPorts

/// The shoes of the user.
package struct Shoes: ShoeReader, ShoeActions {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Returns all shoes, including archived ones.
    package func all() async throws -> [Shoe] { try await ports.shoes.shoes() }

    /// Returns all sessions.
    package func sessions() async throws -> ShoeSessions { try await ports.shoes.sessions() }

    var today: CalendarDay { settings.clock.day(of: ports.time.now()) }
}

// Shared helpers of the use cases for shoes.
extension Shoes {
    /// Returns the shoe with this id. Throws `.noInput` if it does not exist.
    func shoe(_ id: Shoe.ID) async throws -> Shoe {
        guard let shoe = try await ports.shoes.shoes().first(where: { $0.id == id }) else {
            throw SyncFailure(
                .noInput, subject: UUIDText.text(id), reason: "no such shoe",
                advice: "see `healthsync shoes list`")
        }
        return shoe
    }

    /// Returns a new id.
    func newID() -> UUID { UUID(version4: ports.random.bytes(16)) }

    /// Stores one shoe.
    func store(_ shoe: Shoe) async throws {
        var change = ShoeChange()
        change.shoes = [shoe]
        try await ports.shoes.commit(change)
    }

    /// Stores the changes of an action that leads to the sessions `after`, and caches the affected days. If caching
    /// fails, the action succeeds anyway: days that are not cached are computed when they are read.
    func store(_ change: ShoeChange, leadingTo after: ShoeSessions) async throws {
        try await ports.shoes.commit(change)
        do { try await cacheAttributedDays(of: after) } catch {
            ports.log.note("shoes: the totals could not be cached", isDetail: true)
        }
    }

    /// Caches the days of `sessions` that are not cached yet.
    func cacheAttributedDays(of sessions: ShoeSessions) async throws {
        let now = ports.time.now()
        try await AttributedDays(ports: ports, settings: settings, sessions: sessions, now: now).fillCache()
    }

    /// Returns a shoe that may be started. Throws `.usage` for an archived one.
    func wearableShoe(_ id: Shoe.ID) async throws -> Shoe {
        let shoe = try await shoe(id)
        guard !shoe.isArchived else {
            throw SyncFailure(
                .usage, subject: shoe.name, reason: "is archived",
                advice: "restore it with `healthsync shoes unarchive SHOE`")
        }
        return shoe
    }

    /// Throws `.usage` if a session began or ended after `now`. The clock is or was wrong then, and a new session
    /// would be too.
    func checkClock(_ now: Instant, against sessions: ShoeSessions) throws {
        guard let last = sessions.all.last, (last.end ?? last.start) > now else { return }
        throw SyncFailure(
            .usage, subject: "clock", reason: "the time is before the last change of shoes",
            advice: "set the system clock; nothing was changed")
    }
}
