/// What one action changes, stored together or not at all.
package struct ShoeChange: Sendable, Hashable {
    /// Shoes to insert or replace.
    package var shoes: [Shoe] = []
    /// Sessions to insert or replace.
    package var sessions: [ShoeSession] = []
    /// Sessions that are no more.
    package var removedSessions: [ShoeSession.ID] = []
    /// Shoes that are deleted; their sessions are removed too.
    package var removedShoes: [Shoe.ID] = []
    /// What a person said, to be remembered beside what came of it.
    package var settled: Set<SettledStretch> = []

    package init() {}

    /// What leads from the sessions `before` to those `after`.
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
