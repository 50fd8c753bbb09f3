import HealthSyncDomain

/// Divides claimed items into batches within the limits of records and bytes. An item above a limit is alone in its
/// batch, and so is every tombstone, unless `groupsTombstones`, and every item of raw samples that was in a rejected batch.
struct BatchPartition {
    /// Bytes reserved for what surrounds the records.
    static let wrapperBytes = 64

    var recordLimit: Int
    var byteLimit: Int
    /// Whether several tombstones may be in a batch, which then contains nothing else.
    var groupsTombstones = false

    /// The length of a deletion in a request, at most.
    private static let tombstoneBytes = 96

    func parts(of items: [OutboxItem]) -> [[OutboxItem]] {
        var parts: [[OutboxItem]] = []
        var records = 0
        var bytes = 0
        var wasSuspect = false
        var wasTombstone = false
        for item in items {
            let isTombstone = item.content.isTombstone
            let itemBytes = isTombstone ? Self.tombstoneBytes : item.content.payload.count + 1
            let itemRecords = max(1, item.content.recordIDs.count, item.content.slice?.only.count ?? 0)
            let fits = records + itemRecords <= recordLimit && bytes + itemBytes <= byteLimit
            let isSuspect = item.content.slice != nil && item.attempts > 0
            let isAlone = isTombstone && !groupsTombstones || isTombstone != wasTombstone
            if parts.isEmpty || !fits || isAlone || isSuspect || wasSuspect {
                parts.append([])
                records = 0
                bytes = 0
            }
            (wasSuspect, wasTombstone) = (isSuspect, isTombstone)
            parts[parts.count - 1].append(item)
            records += itemRecords
            bytes += itemBytes
        }
        return parts
    }
}

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
