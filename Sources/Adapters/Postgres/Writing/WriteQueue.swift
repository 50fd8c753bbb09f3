import HealthSyncDomain
import Synchronization

/// Requests on their way to the database. Those of one user go one group after the other, because they would wait for
/// each other there; those of several users go side by side.
final class WriteQueue: Sendable {
    private struct State {
        var waiting: [UserName: [WriteJob]] = [:]
        /// Users with waiting requests and none under way, longest first.
        var turn: [UserName] = []
        var underWay: Set<UserName> = []
        var idle: [PostgresWorker]
        var isClosed = false

        mutating func takeGroup(of user: UserName, atMost limit: (requests: Int, records: Int)) -> [WriteJob] {
            let jobs = waiting[user] ?? []
            var count = 0
            var records = 0
            for job in jobs.prefix(limit.requests) {
                records += job.size
                guard count == 0 || records <= limit.records else { break }
                count += 1
            }
            waiting[user] = count < jobs.count ? Array(jobs.dropFirst(count)) : nil
            return Array(jobs.prefix(count))
        }
    }

    /// At most so many requests, and about so many records, share a commit, so that the first does not wait for long.
    private static let largestGroup = (requests: 256, records: 10_000)

    private let workers: [PostgresWorker]
    private let state: Mutex<State>
    private let address: PostgresAddress

    init(address: PostgresAddress, writers: Int) {
        self.address = address
        workers = (0..<writers).map { PostgresWorker(address: address, label: "healthsync.postgres.writer.\($0)") }
        state = Mutex(State(idle: workers))
    }

    /// Stores, and returns after the commit.
    func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] {
        try await withCheckedThrowingContinuation { continuation in
            let job = WriteJob(write: write) { continuation.resume(with: $0) }
            let (isOpen, worker) = state.withLock { state -> (Bool, PostgresWorker?) in
                guard !state.isClosed else { return (false, nil) }
                state.waiting[write.user, default: []].append(job)
                guard !state.underWay.contains(write.user), !state.turn.contains(write.user) else { return (true, nil) }
                state.turn.append(write.user)
                return (true, state.idle.popLast())
            }
            if !isOpen {
                job.answer(.failure(PostgresFailure.failure(address, "the store is closed", "start the server again")))
            }
            // Not structured: it serves whoever comes until it begins, and each of them waits for it.
            if let worker { Task { await worker.drain(self) } }
        }
    }

    /// What a worker is to do next; `nil` when nothing waits, and it is idle then.
    func next(after last: UserName?, for worker: PostgresWorker) -> WriteGroup? {
        state.withLock { state in
            if let last {
                state.underWay.remove(last)
                if state.waiting[last] != nil { state.turn.append(last) }
            }
            guard let user = state.turn.first else {
                state.idle.append(worker)
                return nil
            }
            state.turn.removeFirst()
            state.underWay.insert(user)
            return WriteGroup(user: user, jobs: state.takeGroup(of: user, atMost: Self.largestGroup))
        }
    }

    /// Nothing more is taken; what waits is carried out before the sessions end.
    func close() async {
        state.withLock { $0.isClosed = true }
        for worker in workers { await worker.close() }
    }
}
