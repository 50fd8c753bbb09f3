/// Distinguishes a batch that makes the destination fail from a destination that is down: one batch fails three times
/// while others succeed.
struct ServerErrorWatch {
    private struct Record {
        var own = 0
        var inherited = 0
        var passedBefore: Int
    }

    private var records: [String: Record] = [:]
    /// The number of batches delivered in this run.
    private(set) var passed = 0

    mutating func notePassed() { passed += 1 }

    /// Counts a failure of the batch with `key`; returns whether the batch is at fault. The parts of a batch at fault
    /// are suspected from the start, but a single item is rejected only after three failures of its own.
    mutating func isAtFault(_ key: String, itemCount: Int) -> Bool {
        var record = records[key] ?? Record(passedBefore: passed)
        record.own += 1
        records[key] = record
        let failures = itemCount == 1 ? record.own : record.own + record.inherited
        return failures >= Self.limit && passed > record.passedBefore
    }

    /// Marks the parts of a batch at fault as suspected.
    mutating func suspect(_ keys: [String]) {
        for key in keys { records[key] = Record(inherited: Self.limit - 1, passedBefore: passed) }
    }

    private static let limit = 3
}
