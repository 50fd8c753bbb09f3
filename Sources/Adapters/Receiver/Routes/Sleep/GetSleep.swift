import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/sleep`: returns sessions by the day on which they started, with averages over all selected sessions.
struct GetSleep: Endpoint {
    let operation = Operation(
        "GET", "/api/v1/sleep", .scope(.read),
        OpenAPIOperation(
            summary: "Get sleep sessions by the day on which they started",
            query: [.from, .to, .limit(1_000), .offset], responses: [(200, "DataResponse")],
            errors: OpenAPIOperation.readErrors))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        var query = RecordQuery(user: request.user, kind: .sleep)
        query.from = try request.day("from")
        query.through = try request.day("to")
        query.limit = Int(try request.integer("limit", in: 1...1_000) ?? 100)
        query.offset = Int(try request.integer("offset", in: 0...1_000_000_000) ?? 0)
        let store = request.services.store
        let page = try await store.records(query)
        let total = try await store.recordCount(query)
        let averages = try await averages(query, in: store)
        var writer = JSONWriter(reserving: 2048 * page.count + 256)
        writer.beginObject()
        writer.name("success")
        writer.bool(true)
        writer.name("data")
        writer.beginObject()
        writer.name("sessions")
        writer.beginArray()
        for stored in page {
            SleepData.write(stored, user: request.user, hasher: request.services.hasher, to: &writer)
        }
        writer.endArray()
        writer.name("averages")
        writer.beginObject()
        for (name, value) in zip(Self.averageNames, averages) {
            writer.name(name)
            writer.number(SleepDurations.rounded(value))
        }
        writer.endObject()
        writer.page(of: query, count: page.count, total: total)
        writer.endObject()
        writer.endObject()
        return .json(writer.bytes)
    }

    private static let averageNames: [StaticString] = [
        "avg_time_in_bed_minutes", "avg_total_sleep_minutes", "avg_sleep_efficiency_percentage",
    ]
    private static let figureNames: [StaticString] = [
        "time_in_bed_minutes", "total_sleep_minutes", "sleep_efficiency_percentage",
    ]

    /// Returns the averages over all selected sessions; 0 if none exist.
    private func averages(_ query: RecordQuery, in store: any ReceivedDataStore) async throws -> [Double] {
        var query = query
        query.offset = 0
        query.limit = 500
        var sums = [Double](repeating: 0, count: Self.figureNames.count)
        var count = 0
        while true {
            let page = try await store.records(query)
            for stored in page {
                try JSONText.read(stored.record.body) { session in
                    for (index, name) in Self.figureNames.enumerated() { sums[index] += session[name]?.number ?? 0 }
                }
            }
            count += page.count
            guard page.count == query.limit else { break }
            query.offset += page.count
        }
        return sums.map { count > 0 ? $0 / Double(count) : 0 }
    }
}
