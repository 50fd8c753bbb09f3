import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/sleep`: returns sessions by their day, with averages over their main sleeps. Sessions
/// whose sender states no day are listed under the day on which they started.
struct GetSleep: Endpoint {
    let operation = Operation(
        "GET", "/api/v1/sleep", .scope(.read),
        OpenAPIOperation(
            summary: "Get sleep sessions by day, and averages over the main sleeps",
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

    /// Returns the averages over the main sleeps of the selected sessions; 0 if none has sleep.
    private func averages(_ query: RecordQuery, in store: any ReceivedDataStore) async throws -> [Double] {
        var query = query
        query.offset = 0
        query.limit = 500
        var received: [ReceivedSleep.Session] = []
        while true {
            let page = try await store.records(query)
            received += try page.compactMap { try ReceivedSleep.session($0.record, .durations) }
            guard page.count == query.limit else { break }
            query.offset += page.count
        }
        let mains = SleepEpisode.episodes(of: ReceivedNights.sessions(received, by: OriginPriority()))
            .filter { $0.role == .main }
        guard let averages = SleepAverages(of: mains.map(\.durations)) else { return Self.averageNames.map { _ in 0 } }
        return [averages.inBed / 60_000, averages.asleep / 60_000, averages.efficiencyPercentage]
    }
}

/// The JSON of a stored session.
enum SleepData {
    /// Returns the id on this server of the session that its client calls `sourceID`.
    static func id(of sourceID: String, user: UserName, hasher: any ContentHasher) -> String {
        let name = Array("healthsync:sleep\u{1F}\(user)\u{1F}\(sourceID)".utf8)
        return unsafe name.withUnsafeBytes { unsafe SampleID(version5: hasher.sha1Prefix($0)) }.description
    }

    static func write(_ stored: StoredRecord, user: UserName, hasher: any ContentHasher, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("id")
        writer.string(id(of: stored.record.id, user: user, hasher: hasher))
        writer.name("user_id")
        writer.string(user.text)
        // The stored object, without its braces.
        writer.raw(stored.record.body.dropFirst().dropLast())
        writer.name("created_at")
        writer.time(stored.createdAt)
        writer.name("updated_at")
        writer.time(stored.updatedAt)
        writer.endObject()
    }
}
