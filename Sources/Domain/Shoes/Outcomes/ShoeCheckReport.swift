/// What shoes did by themselves.
package struct ShoeCheckReport: Sendable, Hashable {
    /// Sessions that the day's first steps started.
    package var started: [ShoeSession] = []
    /// Sessions that were active and were closed for inactivity.
    package var closed: [ShoeSession] = []
    /// Sessions whose start or end moved with better data.
    package var moved: [ShoeSession] = []
    /// Sessions made by themselves whose steps are no more, or lie in another one now.
    package var removed: [ShoeSession] = []

    /// Nothing happened.
    package init() {}

    /// What led from `before` to `after`.
    package init(from before: ShoeSessions, to after: ShoeSessions) {
        let old = Dictionary(before.all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for session in after.all where old[session.id] != session {
            switch old[session.id] {
            case nil: started.append(session)
            case .some(let former) where former.isActive && !session.isActive: closed.append(session)
            case .some: moved.append(session)
            }
        }
        let kept = Set(after.all.map(\.id))
        removed = before.all.filter { !kept.contains($0.id) }
    }

    package var isEmpty: Bool { started.isEmpty && closed.isEmpty && moved.isEmpty && removed.isEmpty }
}
