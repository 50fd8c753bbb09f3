import HealthSyncDomain

/// Requests of one user that share a commit.
struct WriteGroup: Sendable {
    let user: UserName
    let jobs: [WriteJob]

    var transaction: GroupTransaction { GroupTransaction(user: user, writes: jobs.map(\.write)) }
}
