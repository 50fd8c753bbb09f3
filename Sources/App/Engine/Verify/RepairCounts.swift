/// How many samples a repair put into the outbox.
package struct RepairCounts: Sendable, Hashable {
    /// Samples sent, those sent again under a higher revision counted each time.
    package var sent = 0
    /// Samples deleted on the server.
    package var deleted = 0
    /// Derived records sent, counted in the same way.
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
