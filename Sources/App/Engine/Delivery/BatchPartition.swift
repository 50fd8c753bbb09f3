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
