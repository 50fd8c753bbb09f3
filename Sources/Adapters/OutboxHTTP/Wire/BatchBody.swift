import HealthSyncDomain
import HealthSyncSupport

/// The body and path of a request that stores or deletes records.
enum BatchBody {
    /// Returns the contents of a request of `records`, which are of one kind and either no tombstones, a single tombstone,
    /// or tombstones of raw samples.
    static func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        guard let first = records.first else { return BatchContent(body: []) }
        let route = WireRoute(kind: first.kind)
        if first.isTombstone, records.count == 1 {
            let path = route.tombstonePath(id: first.ids.first ?? "", revision: first.revision)
            return BatchContent(body: [], path: path)
        }
        let whole =
            first.isTombstone
            ? deletions(of: records) : body(of: records, route: route, capabilities: capabilities)
        // A session on its own is read again if the server answers that it exists.
        let isSingleSession = route.kind == .sleep && records.count == 1
        let isCompressed = capabilities.acceptsCompression && whole.count > smallestCompressed && !isSingleSession
        let compressed = isCompressed ? Gzip.compressed(whole) : nil
        var content = BatchContent(
            body: compressed ?? whole, path: first.isTombstone ? route.deletionsPath : route.path)
        content.isCompressed = compressed != nil
        return content
    }

    /// Returns `{"deletions":[{"id":…,"revision":…}, …]}`.
    private static func deletions(of records: [OutgoingRecord]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("deletions")
        json.beginArray()
        for record in records {
            for id in record.ids {
                json.beginObject()
                json.name("id")
                json.string(id)
                json.name("revision")
                json.integer(record.revision)
                json.endObject()
            }
        }
        json.endArray()
        json.endObject()
        return json.bytes
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
            let isShort = route.kind == .sleep && !capabilities.sleepNights
            body += isShort ? SleepEncoding.withoutPlace(record.payload) : record.payload
        }
        if !isSingleSession { body += Array("]}".utf8) }
        return body
    }

    private static let smallestCompressed = 1_024
}

/// The paths of a kind of record.
private struct WireRoute {
    let kind: RecordKind

    /// The path to which records are posted, relative to the base address.
    var path: String {
        kind == .steps ? "/steps" : "/api/v1/" + PercentEncoding.encoded(kind.rawValue, keepsSlash: true)
    }

    /// The path to which deletions of several raw samples are posted, relative to the base address.
    var deletionsPath: String { "/api/v1/deletions/" + PercentEncoding.encoded(kind.rawValue, keepsSlash: true) }

    /// The name of the member that contains the list of records.
    var listName: String {
        switch kind {
        case .steps: "samples"
        case .sleep: "sessions"
        case .snapshots: "snapshots"
        default: kind.rawValue.hasBytePrefix("samples/") ? "samples" : "entries"
        }
    }

    /// Returns the path that deletes one record.
    func tombstonePath(id: String, revision: Int) -> String {
        "/api/v1/\(PercentEncoding.encoded(kind.rawValue, keepsSlash: true))/\(PercentEncoding.encoded(id))"
            + "?revision=\(revision)"
    }
}
