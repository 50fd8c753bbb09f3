package import Foundation

/// The shoes and sessions of the user at the instant of an action, which the action changes.
package struct ShoeCloset {
    /// All shoes, including archived ones.
    package var shoes: [Shoe]
    package var sessions: ShoeSessions
    /// Hours that the user assigned or cleared.
    package var settled: Set<SettledHours> = []
    let now: Instant
    let clock: DayClock
    let newID: () -> UUID

    package init(
        shoes: [Shoe], sessions: ShoeSessions, now: Instant, clock: DayClock, newID: @escaping () -> UUID
    ) {
        self.shoes = shoes
        self.sessions = sessions
        self.now = now
        self.clock = clock
        self.newID = newID
    }

    var today: CalendarDay { clock.day(of: now) }

    /// Returns the index of the shoe with this id. Throws `.noInput` if it does not exist.
    func index(of id: Shoe.ID) throws(SyncFailure) -> Int {
        guard let index = shoes.firstIndex(where: { $0.id == id }) else {
            throw SyncFailure(.noInput, subject: UUIDText.text(id), reason: "no such shoe", action: .listShoes)
        }
        return index
    }

    /// Returns the index of a shoe that may be started. Throws `.usage` for an archived one.
    func wearableIndex(of id: Shoe.ID) throws(SyncFailure) -> Int {
        let index = try index(of: id)
        guard !shoes[index].isArchived else {
            throw SyncFailure(.usage, subject: shoes[index].name, reason: "is archived", action: .unarchiveShoe)
        }
        return index
    }

    /// Returns the index of a shoe without an active session. Throws `.usage` for one that is being worn.
    func unwornIndex(of id: Shoe.ID) throws(SyncFailure) -> Int {
        let index = try index(of: id)
        guard sessions.active?.shoe != id else {
            throw SyncFailure(.usage, subject: shoes[index].name, reason: "is being worn", action: .endSessionFirst)
        }
        return index
    }

    /// Throws `.usage` if a session began or ended after now. The clock is or was wrong then, and a new session would
    /// be too.
    func checkClock() throws(SyncFailure) {
        guard let last = sessions.all.last, (last.end ?? last.start) > now else { return }
        throw SyncFailure(
            .usage, subject: "clock", reason: "the time is before the last change of shoes",
            advice: "set the system clock; nothing was changed")
    }

    mutating func clearDefault() {
        for index in shoes.indices { shoes[index].defaultSince = nil }
    }
}

/// The changes of one action, stored in one transaction.
package struct ShoeChange: Sendable, Hashable {
    /// Shoes to insert or replace.
    package var shoes: [Shoe] = []
    /// Sessions to insert or replace.
    package var sessions: [ShoeSession] = []
    /// Sessions to delete.
    package var removedSessions: [ShoeSession.ID] = []
    /// Shoes to delete, with their sessions.
    package var removedShoes: [Shoe.ID] = []
    /// Hours that the user assigned or cleared, to be stored with the resulting sessions.
    package var settled: Set<SettledHours> = []

    package init() {}

    /// Creates the change from the sessions `before` to those `after`.
    package init(from before: ShoeSessions, to after: ShoeSessions) {
        let old = Dictionary(before.all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let kept = Set(after.all.map(\.id))
        sessions = after.all.filter { old[$0.id] != $0 }
        removedSessions = before.all.map(\.id).filter { !kept.contains($0) }
    }

    package var isEmpty: Bool {
        shoes.isEmpty && sessions.isEmpty && removedSessions.isEmpty && removedShoes.isEmpty && settled.isEmpty
    }

    /// Creates the change from the closet `before` to the one `after`.
    package init(from before: ShoeCloset, to after: ShoeCloset) {
        self.init(from: before.sessions, to: after.sessions)
        let kept = Set(after.shoes.map(\.id))
        shoes = after.shoes.filter { !before.shoes.contains($0) }
        removedShoes = before.shoes.map(\.id).filter { !kept.contains($0) }
        settled = after.settled
    }
}
