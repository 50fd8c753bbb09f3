import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Finds ids for sessions that were not stored of these nights.
///
/// An id follows from who recorded the session and when it began when it was first seen. Where another session that goes
/// on has that id, the next free one is made of the same and an ordinal. A session that is stored under the id and is the
/// same one, of a night it no longer belongs to, goes on as it.
struct SleepSessionIDs: Sendable {
    let ports: EnginePorts
    /// The nights that are stored together; what is stored of them and goes on is in `taken`.
    let nights: DayRange

    struct Place: Sendable, Hashable {
        var sourceID: String
        /// The highest revision that is known under the id.
        var revision: Int?
    }

    /// A place for each of `sessions`, in their order, none of those in `taken`.
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
            let removed = try await ports.tracking.removedRevisions(of: ids)
            var refused: [Int] = []
            for (index, id) in zip(waiting, ids) {
                let stored = live[id]
                if taken.contains(id) || stored.map({ goesOn($0.record, beside: sessions[index]) }) ?? false {
                    refused.append(index)
                } else {
                    taken.insert(id)
                    let known = [stored?.revision, removed[id]].compactMap { $0 }.max()
                    places[index] = Place(sourceID: id, revision: known)
                }
            }
            waiting = refused
            ordinal += 1
        }
        return sessions.indices.compactMap { places[$0] }
    }

    /// Whether `stored` is another session than `session` and of a night that is not stored anew.
    private func goesOn(_ stored: SleepSession, beside session: SleepSession) -> Bool {
        !nights.contains(stored.night) && !SleepSessionMatch.isSame(stored, session)
    }

    private func id(of session: SleepSession, ordinal: Int) -> String {
        var name = "sleep\u{1F}\(session.origin.recorder)\u{1F}\(session.interval.start.milliseconds)"
        if ordinal > 0 { name += "\u{1F}\(ordinal)" }
        let bytes = SampleID.namespace + Array(name.utf8)
        return SampleID(version5: bytes.withUnsafeBytes { ports.hasher.sha1Prefix($0) }).description
    }
}
