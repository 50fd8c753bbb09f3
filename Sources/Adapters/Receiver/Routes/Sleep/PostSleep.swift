import HealthSyncDomain
import HealthSyncPorts

/// `POST /api/v1/sleep`: stores one session or a list of sessions.
struct PostSleep: Endpoint {
    let operation = Operation(
        "POST", "/api/v1/sleep", .scope(.ingest),
        OpenAPIOperation(
            summary: "Store a sleep session, or a list of them", body: "SleepRequest",
            responses: [(200, "SleepResponse"), (201, "SleepResponse")], errors: OpenAPIOperation.writeErrors))
    /// The maximum number of sessions in a list.
    static let largestBatch = 100

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let (list, isList, key) = try await request.decoded {
            let body = try request.body()
            let (list, isList) = try Self.read(body)
            return (list, isList, try request.batchKey(of: body))
        }
        guard isList else { return try await single(request, list, key: key) }
        return response(to: request, list, try await list.store(.sleep, for: request, key: key))
    }

    /// Reads the sessions of a body, and whether it is a list of them.
    private static func read(_ body: [UInt8]) throws -> (list: RecordList, isList: Bool) {
        let isList: Bool
        do {
            isList = try JSONDocument.read(body) { root in
                guard root.isObject else { throw RequestError(failure("expected an object", status: 400)) }
                return root["sessions"] != nil
            }
        } catch is InvalidJSON {
            throw RequestError(failure("Invalid JSON", status: 400))
        }
        if isList {
            return (try RecordList(body, name: "sessions", atMost: largestBatch, read: SleepReader.read), true)
        }
        return (try JSONDocument.read(body) { RecordList($0, read: SleepReader.read) }, false)
    }

    private func response(to request: APIRequest, _ list: RecordList, _ report: OutcomeReport) -> HTTPResponse {
        var writer = JSONWriter(reserving: 512 + 128 * list.records.count)
        writer.beginObject()
        writer.name("success")
        writer.bool(true)
        writer.name("sessions")
        writer.beginArray()
        for record in list.records {
            writer.beginObject()
            writer.name("source_id")
            writer.string(record.id)
            writer.name("session_id")
            writer.string(SleepData.id(of: record.id, user: request.user, hasher: request.services.hasher))
            writer.endObject()
        }
        writer.endArray()
        report.write(to: &writer)
        writer.endObject()
        return .json(writer.bytes)
    }

    private func single(_ request: APIRequest, _ list: RecordList, key: BatchKey?) async throws -> HTTPResponse {
        if let rejected = list.rejected.first { throw RequestError(Self.failure(rejected.reason, status: 422)) }
        guard let record = list.records.first else {
            throw RequestError(Self.failure("expected an object", status: 400))
        }
        let outcomes = try await request.store(.records(.sleep, list.records), key: key)
        var query = RecordQuery(user: request.user, kind: .sleep)
        query.id = record.id
        let stored = try await request.services.store.records(query).first
        var writer = JSONWriter(reserving: 1024)
        writer.beginObject()
        writer.name("success")
        writer.bool(true)
        if stored != nil {
            writer.name("session_id")
            writer.string(SleepData.id(of: record.id, user: request.user, hasher: request.services.hasher))
        }
        writer.name("data")
        if let stored {
            SleepData.write(stored, user: request.user, hasher: request.services.hasher, to: &writer)
        } else {
            // A tombstone with a higher revision hides it.
            writer.null()
        }
        OutcomeReport(outcomes: outcomes, rejected: []) { _ in record.id }.write(to: &writer)
        writer.endObject()
        return .json(writer.bytes, status: outcomes == [.created] ? 201 : 200)
    }

    private static func failure(_ text: String, status: Int) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("success")
        writer.bool(false)
        writer.name("error")
        writer.string(text)
        writer.endObject()
        return .json(writer.bytes, status: status)
    }
}
