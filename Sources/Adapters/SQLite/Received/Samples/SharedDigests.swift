import HealthSyncDomain
import Synchronization

/// Digests of sample content, for which all samples of an interval are decoded. Equal queries that wait for their turn
/// share one answer, which is computed after all of them were made and so includes everything stored until then.
final class SharedDigests: Sendable {
    private struct Query: Hashable {
        let user: UserName
        let type: String
        let interval: InstantRange
    }

    /// A separate reader, so that these queries delay no others.
    let reader: SQLiteReader
    private let waiting = Mutex<[Query: Task<SampleSetDigest, any Error>]>([:])

    init(reader: SQLiteReader) { self.reader = reader }

    /// Returns the digest of the samples of `type` that start within `interval`.
    func digest(of type: String, in interval: InstantRange, user: UserName) async throws -> SampleSetDigest {
        let query = Query(user: user, type: type, interval: interval)
        let answer = waiting.withLock { waiting in
            if let asked = waiting[query] { return asked }
            // Unstructured: it continues for the remaining callers if one is cancelled.
            let task = Task { try await lookUp(query) }
            waiting[query] = task
            return task
        }
        return try await answer.value
    }

    /// Closes the connection. Safe to repeat.
    func close() async throws { try await reader.close() }

    private func lookUp(_ query: Query) async throws -> SampleSetDigest {
        do {
            return try await reader.read { connection in
                // Data stored from here on may not be included, so no later query may share the answer.
                self.forget(query)
                return try ReceivedSampleQueries(user: query.user, type: query.type, over: connection)
                    .setDigest(in: query.interval)
            }
        } catch {
            // It may have failed before its turn, so the next query must try again.
            forget(query)
            throw error
        }
    }

    private func forget(_ query: Query) { waiting.withLock { $0[query] = nil } }
}
