import HealthSyncDomain

/// Divides claimed items into batches within the limits of records and bytes. An item above a limit is alone in its
/// batch, and so is every tombstone, and every item of raw samples that was in a rejected batch.
struct BatchPartition {
    var recordLimit: Int
    var byteLimit: Int

    func parts(of items: [OutboxItem]) -> [[OutboxItem]] {
        var parts: [[OutboxItem]] = []
        var records = 0
        var bytes = 0
        var wasSuspect = false
        for item in items {
            let itemBytes = item.content.payload.count + 1
            let itemRecords = max(1, item.content.recordIDs.count, item.content.slice?.only.count ?? 0)
            let fits = records + itemRecords <= recordLimit && bytes + itemBytes <= byteLimit
            let isSuspect = item.content.slice != nil && item.attempts > 0
            if parts.isEmpty || !fits || item.content.isTombstone || isSuspect || wasSuspect {
                parts.append([])
                records = 0
                bytes = 0
            }
            wasSuspect = isSuspect
            parts[parts.count - 1].append(item)
            records += itemRecords
            bytes += itemBytes
        }
        return parts
    }
}
