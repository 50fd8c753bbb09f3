import Synchronization

/// A queue of jobs in which users take turns, so that the wait of one user does not grow with the number of jobs of
/// another: between two turns of a user, each other user has at most one. The jobs of one user keep their order.
package struct TurnQueue<User: Hashable, Job> {
    private struct Entry {
        let job: Job
        let size: Int
    }

    /// Values in the order of their arrival.
    private struct Line<Value> {
        private var values: [Value] = []
        private var start = 0

        init(_ values: [Value] = []) { self.values = values }

        var first: Value? { start < values.count ? values[start] : nil }

        mutating func append(_ value: Value) { values.append(value) }

        mutating func removeFirst() {
            start += 1
            // Values that were removed are given up when they are half of all, so that removal takes constant time.
            guard start * 2 >= values.count else { return }
            values.removeFirst(start)
            start = 0
        }
    }

    /// The jobs of each waiting user.
    private var waiting: [User: Line<Entry>] = [:]
    /// The waiting users, longest wait first.
    private var turns = Line<User>()
    private let largestTurn: Int
    /// The number of jobs.
    package private(set) var count = 0

    /// Creates an empty queue.
    ///
    /// - Parameter largestTurn: The size of all jobs of one turn together, which a turn of a single job may exceed.
    package init(largestTurn: Int) { self.largestTurn = largestTurn }

    /// Adds a job of a user; `size` is a measure of how long it takes.
    package mutating func append(_ job: Job, of user: User, size: Int) {
        count += 1
        if waiting[user] == nil { turns.append(user) }
        waiting[user, default: Line()].append(Entry(job: job, size: size))
    }

    /// Removes and returns the jobs of the next turns, as far as they are within both limits, and at least one job unless
    /// the queue is empty.
    package mutating func next(atMost limit: (jobs: Int, size: Int)) -> [Job] {
        var group: [Job] = []
        var size = 0
        while group.count < limit.jobs, let user = turns.first {
            let before = group.count
            var turn = 0
            while group.count < limit.jobs, let entry = waiting[user]?.first,
                group.count == before || turn + entry.size <= largestTurn,
                group.isEmpty || size + entry.size <= limit.size
            {
                waiting[user]?.removeFirst()
                group.append(entry.job)
                turn += entry.size
                size += entry.size
            }
            // The turn that does not fit is the first one of the next group.
            guard group.count > before else { break }
            turns.removeFirst()
            if waiting[user]?.first != nil { turns.append(user) } else { waiting[user] = nil }
        }
        count -= group.count
        return group
    }
}

/// Limits how many tasks do work of the processor at once. If all places are taken, users take turns, so that many
/// requests of one user do not delay those of another.
package final class TurnGate<User: Hashable & Sendable>: Sendable {
    private struct State {
        var free: Int
        var waiting = TurnQueue<User, CheckedContinuation<Void, Never>>(largestTurn: 1)
    }

    private let state: Mutex<State>

    /// Creates a gate with `places`, at least one.
    package init(places: Int) { state = Mutex(State(free: max(1, places))) }

    /// The number of tasks that wait.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when it is the turn of `user`, also in a cancelled task, and rethrows its error.
    package func perform<Value>(for user: User, _ body: () throws -> Value) async rethrows -> Value {
        await enter(user)
        defer { leave() }
        return try body()
    }

    /// Waits for a place.
    func enter(_ user: User) async {
        let isFree = state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
        if isFree { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation, of: user, size: 1)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Frees a place.
    func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            let next = state.waiting.next(atMost: (jobs: 1, size: 1)).first
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}
