import HealthSyncDomain
import Synchronization

/// The queue of write requests. Groups of one user run one after another, because they would block each other in the
/// database; groups of different users run in parallel.
final class WriteQueue: Sendable {
    private struct State {
        var waiting: [UserName: [WriteJob]] = [:]
        /// The users with waiting requests and none in progress, longest wait first.
        var turn: [UserName] = []
        var inProgress: Set<UserName> = []
        var idle: [PostgresWorker]
        var isClosed = false

        mutating func takeGroup(of user: UserName, atMost limit: (requests: Int, records: Int)) -> [WriteJob] {
            let jobs = waiting[user] ?? []
            var count = 0
            var records = 0
            for job in jobs.prefix(limit.requests) {
                records += job.write.count
                guard count == 0 || records <= limit.records else { break }
                count += 1
            }
            waiting[user] = count < jobs.count ? Array(jobs.dropFirst(count)) : nil
            return Array(jobs.prefix(count))
        }
    }

    /// The limits of a group, which bound the wait of its first request. The limit on records is approximate.
    private static let largestGroup = (requests: 256, records: 10_000)

    private let workers: [PostgresWorker]
    private let state: Mutex<State>
    private let address: PostgresAddress
    private let indexes = SeriesIndexes()

    init(address: PostgresAddress, writers: Int) {
        self.address = address
        workers = (0..<writers).map {
            PostgresWorker(address: address, label: "healthsync.postgres.writer.\($0)", reusesPlans: true)
        }
        state = Mutex(State(idle: workers))
    }

    /// Stores `write` and returns after the commit.
    func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] {
        try await withCheckedThrowingContinuation { continuation in
            let job = WriteJob(write: write) { continuation.resume(with: $0) }
            let (isOpen, worker) = state.withLock { state -> (Bool, PostgresWorker?) in
                guard !state.isClosed else { return (false, nil) }
                state.waiting[write.user, default: []].append(job)
                guard !state.inProgress.contains(write.user), !state.turn.contains(write.user) else {
                    return (true, nil)
                }
                state.turn.append(write.user)
                return (true, state.idle.popLast())
            }
            if !isOpen {
                job.answer(.failure(PostgresFailure.failure(address, "the store is closed", "restart the server")))
            }
            // Unstructured: it serves every request that arrives before it begins, and each of them waits for it.
            if let worker { Task { await worker.drain(self) } }
        }
    }

    /// Returns the next group for a worker, or `nil` if nothing waits and the worker becomes idle.
    func next(after last: UserName?, for worker: PostgresWorker) -> WriteGroup? {
        state.withLock { state in
            if let last {
                state.inProgress.remove(last)
                if state.waiting[last] != nil { state.turn.append(last) }
            }
            guard let user = state.turn.first else {
                state.idle.append(worker)
                return nil
            }
            state.turn.removeFirst()
            state.inProgress.insert(user)
            return WriteGroup(
                user: user, jobs: state.takeGroup(of: user, atMost: Self.largestGroup), indexes: indexes)
        }
    }

    /// Rejects new requests, completes the waiting ones, and closes the sessions.
    func close() async {
        state.withLock { $0.isClosed = true }
        for worker in workers { await worker.close() }
    }
}

/// A request that waits for its commit.
struct WriteJob: Sendable {
    let write: ReceivedWrite
    /// Answers the requester; called once.
    let answer: @Sendable (Result<[StoreOutcome], any Error>) -> Void
}

/// Requests of one user that share a commit.
struct WriteGroup: Sendable {
    let user: UserName
    let jobs: [WriteJob]
    let indexes: SeriesIndexes

    var transaction: GroupTransaction { GroupTransaction(user: user, writes: jobs.map(\.write), indexes: indexes) }
}

extension PostgresWorker {
    /// Commits groups from `queue` until it is empty.
    fileprivate func drain(_ queue: WriteQueue) {
        var last: UserName?
        while let group = queue.next(after: last, for: self) {
            process(group)
            last = group.user
        }
    }

    private func process(_ group: WriteGroup) {
        do {
            let outcomes = try attempt { try group.transaction.commit(in: $0) }
            for (job, outcome) in zip(group.jobs, outcomes) { job.answer(outcome.mapError(translated)) }
        } catch {
            if let error = error as? PostgresError, error.kind == .rejected, group.jobs.count > 1 {
                // A single request may be at fault, so each is tried alone.
                for job in group.jobs {
                    process(WriteGroup(user: group.user, jobs: [job], indexes: group.indexes))
                }
            } else {
                for job in group.jobs { job.answer(.failure(translated(error))) }
            }
        }
    }
}
