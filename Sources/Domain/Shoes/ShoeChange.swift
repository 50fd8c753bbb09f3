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
}
