import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Assigns ids to new sessions.
///
/// An id follows from the recorder and the start of the session when it was first seen. If another existing session has
/// that id, an ordinal is added until an id is free. If the session is already stored under the id, but for a day to
/// which it no longer belongs, it keeps the id.
struct SleepSessionIDs: Sendable {
    let ports: EnginePorts
    /// The days that are stored in one transaction. The ids of their remaining sessions are in `taken`.
    let days: Set<CalendarDay>

    /// An id, and what is known of it.
    struct Place: Sendable, Hashable {
        var sourceID: String
        /// The highest known revision of the id.
        var revision: Int?
    }

    /// Returns an id that is not in `taken` for each of `sessions`, in order.
    func places(for sessions: [SleepSession], taken: Set<String>) async throws -> [Place] {
        var taken = taken
        var places: [Int: Place] = [:]
        var waiting = Array(sessions.indices)
        var ordinal = 0
        while !waiting.isEmpty {
            let ids = waiting.map { id(of: sessions[$0], ordinal: ordinal) }
            let live = Dictionary(
                try await ports.tracking.sleepSessions(withSourceIDs: ids).map { ($0.sourceID, $0) },
                uniquingKeysWith: { first, _ in first })
            let removed = try await ports.tracking.tombstoneRevisions(of: ids)
            var conflicting: [Int] = []
            for (index, id) in zip(waiting, ids) {
                let stored = live[id]
                if taken.contains(id) || stored.map({ isOther($0.record, than: sessions[index]) }) ?? false {
                    conflicting.append(index)
                } else {
                    taken.insert(id)
                    let known = [stored?.revision, removed[id]].compactMap { $0 }.max()
                    places[index] = Place(sourceID: id, revision: known)
                }
            }
            waiting = conflicting
            ordinal += 1
        }
        return sessions.indices.compactMap { places[$0] }
    }

    /// Returns whether `stored` is another session than `session`, and of a day that is not being stored.
    private func isOther(_ stored: SleepSession, than session: SleepSession) -> Bool {
        !days.contains(stored.day) && !SleepSessionMatch.isSame(stored, session)
    }

    private func id(of session: SleepSession, ordinal: Int) -> String {
        var name = "sleep\u{1F}\(session.origin.recorder)\u{1F}\(session.interval.start.milliseconds)"
        if ordinal > 0 { name += "\u{1F}\(ordinal)" }
        let bytes = SampleID.namespace + Array(name.utf8)
        return SampleID(version5: bytes.withUnsafeBytes { ports.hasher.sha1Prefix($0) }).description
    }
}
