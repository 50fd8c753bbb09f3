import HealthSyncDomain
import Synchronization

/// Digests of what samples say, for which all samples of an interval are opened. Who asks while the same question still
/// waits for its turn shares its answer: it is looked up after both asked, so it knows all that was stored until then.
final class SharedDigests: Sendable {
    private struct Question: Hashable {
        let user: UserName
        let type: String
        let interval: InstantRange
    }

    /// Its own, so that nobody else waits for these questions.
    let reader: SQLiteReader
    private let waiting = Mutex<[Question: Task<SampleSetDigest, any Error>]>([:])

    init(reader: SQLiteReader) { self.reader = reader }

    /// The digest of the samples of `type` that start within `interval`.
    func digest(of type: String, in interval: InstantRange, user: UserName) async throws -> SampleSetDigest {
        let question = Question(user: user, type: type, interval: interval)
        let answer = waiting.withLock { waiting in
            if let asked = waiting[question] { return asked }
            // Not structured: it goes on for those who share it, whoever of them goes away.
            let task = Task { try await lookUp(question) }
            waiting[question] = task
            return task
        }
        return try await answer.value
    }

    /// Closes the connection. Safe to repeat.
    func close() async throws { try await reader.close() }

    private func lookUp(_ question: Question) async throws -> SampleSetDigest {
        do {
            return try await reader.read { connection in
                // From here on what is stored may not be seen any more, so nobody else may share.
                self.forget(question)
                return try ReceivedSampleQuestions(user: question.user, type: question.type, over: connection)
                    .setDigest(in: question.interval)
            }
        } catch {
            // It may not have had its turn at all, and the next one is to try again.
            forget(question)
            throw error
        }
    }

    private func forget(_ question: Question) { waiting.withLock { $0[question] = nil } }
}
