import HealthSyncDomain

/// Requests of one user that share a commit.
struct WriteGroup: Sendable {
    let user: UserName
    let jobs: [WriteJob]
    let indexes: SeriesIndexes

    var transaction: GroupTransaction { GroupTransaction(user: user, writes: jobs.map(\.write), indexes: indexes) }
}

extension PostgresWorker {
    /// Commits groups from `queue` until it is empty.
    func drain(_ queue: WriteQueue) {
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
