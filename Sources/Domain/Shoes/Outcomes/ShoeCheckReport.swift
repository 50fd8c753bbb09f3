/// The changes made by automatic sessions.
package struct ShoeCheckReport: Sendable, Hashable {
    /// Sessions started by the first steps of a day.
    package var started: [ShoeSession] = []
    /// Active sessions ended by inactivity.
    package var closed: [ShoeSession] = []
    /// Sessions whose start or end moved because of better data.
    package var moved: [ShoeSession] = []
    /// Automatic sessions whose steps were deleted or are within another session now.
    package var removed: [ShoeSession] = []

    /// Creates a report without changes.
    package init() {}

    /// Creates a report of the changes from `before` to `after`.
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
