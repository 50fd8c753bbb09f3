package import HealthSyncPorts
import Foundation
import HealthSyncDomain

/// The requirements of `ShoeStore`.
package enum ShoeStoreContract {
    /// Creates an empty store, runs a test with it and removes it.
    package typealias Lender = @Sendable (@Sendable (any ShoeStore) async throws -> Void) async throws -> Void

    /// Provides an in-memory store.
    package static let inMemory: Lender = { use in try await use(InMemoryStores(time: ManualTime()).shoes) }

    /// Returns the clauses, each with an empty store from `lender`.
    package static func clauses(_ lender: @escaping Lender) -> [ContractClause] {
        [
            clause("An empty store has no shoes and sessions", lender) { store in
                try await expect(store, shoes: [], sessions: [])
                try ContractViolation.unlessEqual(try await store.settled(on: days), [], "settled hours")
            },
            clause("A commit is stored unchanged, and repeating it changes nothing", lender) { store in
                for _ in 0..<2 {
                    try await store.commit(full)
                    try await expect(store, shoes: [plain, rich], sessions: [morning, active])
                }
                try ContractViolation.unlessEqual(
                    try await store.settled(on: days), [settled(1)], "settled hours of some days")
            },
            clause("Sessions may replace each other within one commit", lender) { store in
                try await store.commit(full)
                var change = ShoeChange()
                var (first, second) = (morning, active)
                (first.start, first.end) = (active.start, active.start.advanced(bySeconds: 60))
                second.start = active.start.advanced(bySeconds: 60)
                change.sessions = [first, second]
                try await store.commit(change)
                try await expect(store, shoes: [plain, rich], sessions: [first, second])
                change = ShoeChange()
                change.removedSessions = [first.id, UUID()]
                try await store.commit(change)
                try await expect(store, shoes: [plain, rich], sessions: [second])
            },
            clause("A shoe is deleted with its sessions in one commit, and repeating it changes nothing", lender) {
                store in
                try await store.commit(full)
                var change = ShoeChange()
                change.removedShoes = [plain.id, rich.id]
                change.removedSessions = [morning.id, active.id]
                for _ in 0..<2 { try await store.commit(change) }
                try await expect(store, shoes: [], sessions: [])
            },
            clause("The default moves from one shoe to another in one commit", lender) { store in
                try await store.commit(full)
                var (former, next) = (rich, plain)
                former.defaultSince = nil
                former.archivedAt = instant(9)
                next.defaultSince = instant(9)
                next.details.price = nil
                var change = ShoeChange()
                change.shoes = [next, former]
                try await store.commit(change)
                try await expect(store, shoes: [next, former], sessions: [morning, active])
            },
            clause(
                "A cached day is returned unchanged or not at all, and not after one of its sessions changed", lender
            ) {
                store in
                try await store.commit(full)
                let figures = WalkFigures(steps: 1_250, kilometres: 0.1 + 0.2)
                let remembered = (0..<5).map {
                    AttributedDay(day: day.advanced(by: $0), figures: $0 == 2 ? [:] : [id(1): figures])
                }
                let rules = ContentDigest(high: 1, low: .max)
                try await store.remember(remembered, by: rules)
                let cached = try await store.attributedDays(of: days, by: rules)
                try ContractViolation.unlessEqual(cached, remembered.filter { cached.contains($0) }, "attributed days")
                let other = try await store.attributedDays(of: days, by: ContentDigest(high: 1, low: 0))
                try ContractViolation.unlessEqual(other, [], "attributed days by other rules")
                var change = ShoeChange()
                change.removedSessions = [active.id]
                try await store.commit(change)
                let left = try await store.attributedDays(of: days, by: rules)
                try ContractViolation.unlessEqual(left, [], "attributed days of a deleted session")
            },
        ]
            + contradictions.map { name, change in
                clause("Rejected without partial changes: \(name)", lender) { store in
                    try await store.commit(full)
                    var change = change
                    change.settled = [settled(2)]
                    do {
                        try await store.commit(change)
                    } catch let failure as SyncFailure where failure.code == .storage {
                        try await expect(store, shoes: [plain, rich], sessions: [morning, active])
                        return try ContractViolation.unlessEqual(
                            try await store.settled(on: days), [settled(1)], "settled hours")
                    }
                    throw ContractViolation("it was stored: \(name)")
                }
            }
    }

    private static let day = CalendarDay(ordinal: 19_700)
    private static let days = DayRange(day).widened(before: 0, after: 5)
    private static func instant(_ hour: Int64) -> Instant {
        day.utcStart.advanced(byMilliseconds: hour * 3_600_000 + 1)
    }
    private static func settled(_ offset: Int) -> SettledHours {
        SettledHours(day: day.advanced(by: offset), start: instant(Int64(offset)))
    }
    private static func id(_ number: UInt8) -> UUID { UUID(version4: [UInt8](repeating: number, count: 16)) }

    private static let plain = Shoe(
        id: id(1), details: ShoeDetails(brand: "Brand’s \"X\"", model: "é👟"), addedAt: instant(0))
    private static let rich = Shoe(
        id: id(2),
        details: ShoeDetails(
            brand: "A", model: "B", emoji: "👟", color: "#00FF7F", purchasedOn: day,
            price: ShoePrice(amount: 139.955, currency: "EUR")),
        defaultSince: instant(1), addedAt: instant(1))
    private static let morning = ShoeSession(
        id: id(3), shoe: id(1), start: instant(8), end: instant(9), isAutoStarted: true, isAutoClosed: true)
    private static let active = ShoeSession(id: id(4), shoe: id(2), start: instant(9))

    private static var full: ShoeChange {
        var change = ShoeChange()
        change.shoes = [rich, plain]
        change.sessions = [active, morning]
        change.settled = [settled(1), settled(40)]
        return change
    }

    private static var contradictions: [(String, ShoeChange)] {
        func sessions(_ sessions: ShoeSession...) -> ShoeChange {
            var change = ShoeChange()
            change.sessions = sessions
            return change
        }
        func shoes(_ shoes: Shoe...) -> ShoeChange {
            var change = ShoeChange()
            change.shoes = shoes
            return change
        }
        var removal = ShoeChange()
        removal.removedShoes = [plain.id]
        var (archived, second) = (rich, plain)
        archived.archivedAt = instant(3)
        second.defaultSince = instant(3)
        let inside = ShoeSession(id: id(5), shoe: id(2), start: instant(8), end: instant(8).advanced(bySeconds: 1))
        let around = ShoeSession(id: id(5), shoe: id(2), start: instant(7), end: instant(10))
        let before = ShoeSession(id: id(5), shoe: id(2), start: instant(7), end: instant(7))
        return [
            ("a session within another", sessions(inside)), ("a session around another", sessions(around)),
            ("a second active session", sessions(ShoeSession(id: id(5), shoe: id(1), start: instant(10)))),
            ("an active session before others", sessions(ShoeSession(id: id(5), shoe: id(1), start: instant(7)))),
            ("a session without length", sessions(before)),
            ("a session of no shoe", sessions(ShoeSession(id: id(5), shoe: id(9), start: instant(1), end: instant(2)))),
            ("a shoe deleted without its sessions", removal), ("an archived default", shoes(archived)),
            ("a second default", shoes(second)),
        ]
    }

    private static func expect(_ store: any ShoeStore, shoes: [Shoe], sessions: [ShoeSession]) async throws {
        try ContractViolation.unlessEqual(try await store.shoes(), shoes, "shoes")
        try ContractViolation.unlessEqual(try await store.sessions().all, sessions, "sessions")
    }

    private static func clause(
        _ name: String, _ lender: @escaping Lender, check: @escaping @Sendable (any ShoeStore) async throws -> Void
    ) -> ContractClause {
        ContractClause(name) { try await lender(check) }
    }
}
