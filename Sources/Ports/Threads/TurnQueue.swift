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
