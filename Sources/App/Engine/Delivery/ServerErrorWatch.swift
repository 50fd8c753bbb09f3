/// Tells a batch on which the server stumbles from a server that is down: status 500 three times for one batch while
/// others pass.
struct ServerErrorWatch {
    private struct Record {
        var own = 0
        var inherited = 0
        var passedBefore: Int
    }

    private var records: [String: Record] = [:]
    /// Batches that the server took in this run.
    private(set) var passed = 0

    mutating func notePassed() { passed += 1 }

    /// Notes a 500 for the batch of `key`; whether the batch is at fault. Parts of a batch at fault are suspected from
    /// the start, but a single item is given up only after three failures of its own.
    mutating func isAtFault(_ key: String, itemCount: Int) -> Bool {
        var record = records[key] ?? Record(passedBefore: passed)
        record.own += 1
        records[key] = record
        let failures = itemCount == 1 ? record.own : record.own + record.inherited
        return failures >= Self.limit && passed > record.passedBefore
    }

    /// Suspects the parts of a batch at fault.
    mutating func suspect(_ keys: [String]) {
        for key in keys { records[key] = Record(inherited: Self.limit - 1, passedBefore: passed) }
    }

    private static let limit = 3
}
