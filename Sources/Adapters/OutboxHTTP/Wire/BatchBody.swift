import HealthSyncDomain

/// The body and path of a request that stores or deletes records.
enum BatchBody {
    /// Returns the contents of a request of `records`, which are of one kind and either a single tombstone or no
    /// tombstones.
    static func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        guard let first = records.first else { return BatchContent(body: []) }
        let route = WireRoute(kind: first.kind)
        if first.isTombstone {
            let path = route.tombstonePath(id: first.ids.first ?? "", revision: first.revision)
            return BatchContent(body: [], path: path)
        }
        let whole = body(of: records, route: route, capabilities: capabilities)
        let compressed =
            capabilities.acceptsCompression && whole.count > smallestCompressed ? Gzip.compressed(whole) : nil
        var content = BatchContent(body: compressed ?? whole, path: route.path)
        content.isCompressed = compressed != nil
        return content
    }

    private static func body(
        of records: [OutgoingRecord], route: WireRoute, capabilities: DestinationCapabilities
    ) -> [UInt8] {
        // A plain server expects a session on its own.
        let isSingleSession = route.kind == .sleep && !capabilities.returnsVerdicts && records.count == 1
        let opening = isSingleSession ? [] : Array("{\"\(route.listName)\":[".utf8)
        var body: [UInt8] = []
        body.reserveCapacity(records.reduce(opening.count + 2) { $0 + $1.payload.count + 1 })
        body += opening
        for record in records where !record.payload.isEmpty {
            if body.count > opening.count { body.append(UInt8(ascii: ",")) }
            body += record.payload
        }
        if !isSingleSession { body += Array("]}".utf8) }
        return body
    }

    private static let smallestCompressed = 1_024
}
