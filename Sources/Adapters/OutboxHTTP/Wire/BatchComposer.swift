import HealthSyncDomain
import HealthSyncPorts

/// Puts payloads into one body and names it by a key that depends on destination, path and bytes only.
struct BatchComposer {
    let hasher: any ContentHasher

    /// A request of `items`, which are all of one kind and either all tombstones or none; of tombstones only the first,
    /// because the wire deletes one record a request.
    func batch(of items: [OutboxItem], destination: String, capabilities: DestinationCapabilities) -> OutboxBatch {
        let kind = items.first?.content.kind ?? RecordKind(rawValue: "")
        let route = WireRoute(kind: kind)
        if let first = items.first, first.content.isTombstone {
            let id = first.content.memberIDs.first ?? first.content.orderingKey
            return batch(
                of: [first], destination: destination, method: "DELETE",
                path: route.tombstonePath(id: id, revision: first.content.revision), body: [])
        }
        let whole = body(of: items, route: route, capabilities: capabilities)
        let compressed =
            capabilities.gzip && whole.count > Self.smallestCompressed ? Gzip.compressed(whole) : nil
        var batch = batch(
            of: items, destination: destination, method: "POST", path: route.path, body: compressed ?? whole)
        batch.isCompressed = compressed != nil
        if kind.isOfSamples { batch.sampleIDs = items.map { $0.content.slice?.only ?? [] } }
        return batch
    }

    private static let smallestCompressed = 1_024

    private func body(of items: [OutboxItem], route: WireRoute, capabilities: DestinationCapabilities) -> [UInt8] {
        let isSingleSession = route.kind == .sleep && !capabilities.results && items.count == 1
        let opening = isSingleSession ? [] : Array("{\"\(route.listName)\":[".utf8)
        var body: [UInt8] = []
        body.reserveCapacity(items.reduce(opening.count + 2) { $0 + $1.content.payload.count + 1 })
        body += opening
        for item in items where !item.content.payload.isEmpty {
            if body.count > opening.count { body.append(0x2C) }
            body += item.content.payload
        }
        if !isSingleSession { body += [0x5D, 0x7D] }
        return body
    }

    private func batch(
        of items: [OutboxItem], destination: String, method: String, path: String, body: [UInt8]
    ) -> OutboxBatch {
        OutboxBatch(
            key: key(destination: destination, method: method, path: path, body: body), destination: destination,
            kind: items.first?.content.kind ?? RecordKind(rawValue: ""), method: method, path: path, body: body,
            itemIDs: items.map(\.id), memberIDs: items.map(\.content.memberIDs))
    }

    /// A UUID version 8 (RFC 9562, section 5.8) of the first 16 bytes of SHA-256.
    private func key(destination: String, method: String, path: String, body: [UInt8]) -> String {
        let digest = hasher.digest(Array("\(destination)\u{1F}\(method)\u{1F}\(path)\u{1F}".utf8) + body)
        return SampleID(
            high: digest.high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: digest.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        ).description
    }
}
