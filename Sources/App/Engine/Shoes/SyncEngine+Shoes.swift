import Foundation
import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine: ShoeReader, ShoeActions {}

// What the use cases of shoes share.
extension SyncEngine {
    /// The shoe with that id; throws `.noInput` when there is none.
    func shoe(_ id: Shoe.ID) async throws -> Shoe {
        guard let shoe = try await ports.shoes.shoes().first(where: { $0.id == id }) else {
            throw SyncFailure(
                .noInput, subject: UUIDText.text(id), reason: "there is no such shoe",
                advice: "see `healthsync shoes list`")
        }
        return shoe
    }

    /// A new identity.
    func newID() -> UUID { UUID(version4: ports.random.bytes(16)) }

    /// Stores one shoe.
    func store(_ shoe: Shoe) async throws {
        var change = ShoeChange()
        change.shoes = [shoe]
        try await ports.shoes.commit(change)
    }

    /// Stores what an action changes of the sessions, which then are `after`, and remembers what the days that it touches
    /// come to now. Where that fails the action is done all the same: days that are not remembered are worked out when
    /// they are asked for.
    func store(_ change: ShoeChange, leadingTo after: ShoeSessions) async throws {
        try await ports.shoes.commit(change)
        do { try await rememberAttributedDays(of: after) } catch {
            ports.log.note("shoes: totals could not be remembered", isDetail: true)
        }
    }

    /// Works out the days of `sessions` that are not remembered.
    func rememberAttributedDays(of sessions: ShoeSessions) async throws {
        try await AttributedDays(ports: ports, settings: settings, sessions: sessions, now: ports.time.now()).remember()
    }

    /// A shoe that may be worn from now on; throws `.usage` for an archived one.
    func wearableShoe(_ id: Shoe.ID) async throws -> Shoe {
        let shoe = try await shoe(id)
        guard !shoe.isArchived else {
            throw SyncFailure(
                .usage, subject: shoe.name, reason: "is archived",
                advice: "bring it back with `healthsync shoes unarchive SHOE`")
        }
        return shoe
    }

    /// Throws where a session began or ended after `now`: then a clock went wrong, and what follows would be wrong too.
    func checkClock(_ now: Instant, against sessions: ShoeSessions) throws {
        guard let last = sessions.all.last, (last.end ?? last.start) > now else { return }
        throw SyncFailure(
            .usage, subject: "clock", reason: "it is earlier than the last change of shoes",
            advice: "set the machine's clock; nothing was changed")
    }
}
