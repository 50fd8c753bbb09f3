package import HealthSyncDomain
package import HealthSyncPorts

/// Asks a server which derived records it has: `GET /api/v1/digest/records` and `/api/v1/digest/entries`.
package struct HTTPRecordReader: ServerRecordReader {
    private let asking: HTTPGetClient

    package init(_ settings: HTTPOutboxSettings, time: any TimeSource) {
        asking = HTTPGetClient(settings, time: time)
    }

    package func digests(of kind: RecordKind, days: DayRange?) async throws -> RecordDigests {
        let body = try await asking.get("/api/v1/digest/records?kind=\(kind.rawValue)" + Self.bounds(days))
        guard let digests = RecordDigestReading.digests(body) else {
            throw asking.unreadable("its digests of records")
        }
        return digests
    }

    package func entries(of kind: RecordKind, days: DayRange, after: String?) async throws -> RecordEntryPage {
        try await page("kind=\(kind.rawValue)" + Self.bounds(days), after: after, isOfTombstones: false)
    }

    package func tombstones(of kind: RecordKind, after: String?) async throws -> RecordEntryPage {
        try await page("kind=\(kind.rawValue)&deleted=true", after: after, isOfTombstones: true)
    }

    private func page(_ query: String, after: String?, isOfTombstones: Bool) async throws -> RecordEntryPage {
        let place = after.map { "&after=\(PercentEncoding.encoded($0))" } ?? ""
        let body = try await asking.get("/api/v1/digest/entries?\(query)\(place)")
        guard let page = RecordDigestReading.page(body, isOfTombstones: isOfTombstones) else {
            throw asking.unreadable("its list of records")
        }
        return page
    }

    private static func bounds(_ days: DayRange?) -> String {
        days.map { "&from=\($0.first)&to=\($0.last)" } ?? ""
    }
}
