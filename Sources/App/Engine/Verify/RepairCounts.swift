/// The numbers of samples and records that a repair enqueued.
package struct RepairCounts: Sendable, Hashable {
    /// Samples sent, counting repeated attempts.
    package var sent = 0
    /// Samples deleted on the server.
    package var deleted = 0
    /// Derived records sent, counting repeated attempts.
    package var recordsSent = 0
    /// Derived records deleted on the server.
    package var recordsDeleted = 0

    package init() {}

    /// Adds `other`.
    static func += (left: inout RepairCounts, right: RepairCounts) {
        left.sent += right.sent
        left.deleted += right.deleted
        left.recordsSent += right.recordsSent
        left.recordsDeleted += right.recordsDeleted
    }
}
