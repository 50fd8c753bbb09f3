import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite("Undoing an assignment of hours")
struct UndoTests {
    private static let now = Instant(seconds: 1_710_500_000)  // 2024-03-15

    private func closet() throws -> ShoeCloset {
        let clock = DayClock(home: try ZoneRules(identifier: "Europe/Paris"))
        let shoes = ShoeDays.shoes.prefix(2).map {
            Shoe(id: $0, details: ShoeDetails(brand: "A", model: "B"), addedAt: Self.now)
        }
        let start = clock.start(of: clock.day(of: Self.now)).advanced(bySeconds: -86_400)
        let sessions = ShoeSessions([
            ShoeSession(
                id: UUID(), shoe: ShoeDays.shoes[0], start: start.advanced(bySeconds: 8 * 3600),
                end: start.advanced(bySeconds: 12 * 3600)),
            ShoeSession(id: UUID(), shoe: ShoeDays.shoes[1], start: start.advanced(bySeconds: 20 * 3600)),
        ])
        return ShoeCloset(shoes: shoes, sessions: sessions, now: Self.now, clock: clock, newID: { UUID() })
    }

    private func yesterday(_ closet: ShoeCloset) throws -> CalendarDay {
        try #require(CalendarDay("2024-03-14"))
    }

    @Test("Every session is as before, with its id", arguments: ["9-10", "0-23", "22", "13"])
    func exact(hours: String) throws {
        var closet = try closet()
        let (before, day) = (closet.sessions, try yesterday(closet))
        for action in [ShoeAction.assign(hours, on: day, to: ShoeDays.shoes[1]), .unassign(hours, on: day)] {
            let done = try action.apply(&closet)
            _ = try ShoeAction.undo(done.change).apply(&closet)
            #expect(closet.sessions == before, "\(hours)")
        }
    }

    @Test("Nothing is undone if its sessions changed since, or a shoe was deleted")
    func changed() throws {
        var closet = try closet()
        let day = try yesterday(closet)
        let done = try ShoeAction.assign("9", on: day, to: ShoeDays.shoes[1]).apply(&closet)
        _ = try ShoeAction.unassign("9", on: day).apply(&closet)
        let now = closet.sessions
        #expect(throws: SyncFailure.self) { try ShoeAction.undo(done.change).apply(&closet) }
        #expect(closet.sessions == now)
        var other = try self.closet()
        let taken = try ShoeAction.unassign("9", on: day).apply(&other)
        other.shoes = []
        #expect(throws: SyncFailure.self) { try ShoeAction.undo(taken.change).apply(&other) }
    }
}
