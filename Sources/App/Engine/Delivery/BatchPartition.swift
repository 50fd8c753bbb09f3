import HealthSyncDomain

/// Cuts claimed items into requests within the limits of records and bytes; an item above a limit goes alone, and so
/// does every tombstone.
struct BatchPartition {
    var recordLimit: Int
    var byteLimit: Int

    func parts(of items: [OutboxItem]) -> [[OutboxItem]] {
        var parts: [[OutboxItem]] = []
        var records = 0
        var bytes = 0
        for item in items {
            let itemBytes = item.content.payload.count + 1
            let itemRecords = max(1, item.content.memberIDs.count)
            let fits = records + itemRecords <= recordLimit && bytes + itemBytes <= byteLimit
            if parts.isEmpty || !fits || item.content.isTombstone {
                parts.append([])
                records = 0
                bytes = 0
            }
            parts[parts.count - 1].append(item)
            records += itemRecords
            bytes += itemBytes
        }
        return parts
    }
}
