import Foundation
package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// An in-memory store of shoes. It does not cache attributed days.
package struct InMemoryShoeStore: ShoeStore {
    let stores: InMemoryStores

    package func shoes() async throws -> [Shoe] {
        stores.state.withLock { $0.shoes }.sorted {
            ($0.addedAt, $0.id.uuidString.lowercased()) < ($1.addedAt, $1.id.uuidString.lowercased())
        }
    }

    package func sessions() async throws -> ShoeSessions {
        ShoeSessions(stores.state.withLock { $0.shoeSessions })
    }

    package func settled(on days: DayRange) async throws -> Set<SettledHours> {
        stores.state.withLock { $0.settledShoeHours }.filter { days.contains($0.day) }
    }

    package func attributedDays(of days: DayRange, by rules: ContentDigest) async throws -> [AttributedDay] { [] }

    package func remember(_ days: [AttributedDay], by rules: ContentDigest) async throws {}

    package func commit(_ change: ShoeChange) async throws {
        try stores.state.withLock { state in
            var shoes = Dictionary(state.shoes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            for shoe in change.shoes { shoes[shoe.id] = shoe }
            var sessions = Dictionary(state.shoeSessions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            for id in change.removedSessions { sessions[id] = nil }
            for id in change.removedShoes { shoes[id] = nil }
            for session in change.sessions { sessions[session.id] = session }
            guard shoes.values.filter(\.isDefault).count <= 1,
                shoes.values.allSatisfy({ !$0.isDefault || !$0.isArchived }),
                sessions.values.allSatisfy({ shoes[$0.shoe] != nil }), ShoeSessions(Array(sessions.values)).isSound
            else {
                throw SyncFailure(
                    .storage, subject: "shoes", reason: "this change would contradict what is stored",
                    advice: "report this as a bug")
            }
            state.shoes = Array(shoes.values)
            state.shoeSessions = Array(sessions.values)
            state.settledShoeHours.formUnion(change.settled)
        }
    }
}
