import HealthSyncDomain

/// `POST /api/v1/progress` and `POST /api/v1/snapshots`: stores derived records by id and revision.
struct PostRecords: Endpoint {
    /// The maximum number of records in a request.
    static let largestBatch = 2_000

    let kind: RecordKind

    var operation: Operation {
        let isProgress = kind == .progress
        return Operation(
            "POST", "/api/v1/\(kind.rawValue)", .scope(.ingest),
            OpenAPIOperation(
                summary: isProgress
                    ? "Store figures of metrics by hour and day" : "Store activity snapshots of days",
                body: isProgress ? "ProgressRequest" : "SnapshotsRequest", responses: [(200, "IngestResponse")],
                errors: OpenAPIOperation.writeErrors))
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let (list, key) = try await request.decoded {
            let body = try request.body()
            let list =
                kind == .progress
                ? try RecordList(body, name: "entries", atMost: Self.largestBatch, read: ProgressReader.read)
                : try RecordList(body, name: "snapshots", atMost: Self.largestBatch, read: SnapshotReader.read)
            return (list, try request.batchKey(of: body))
        }
        return try await list.store(kind, for: request, key: key).response()
    }
}

/// The records in the body of a request. Each record is validated separately, and an invalid one is rejected
/// separately.
struct RecordList {
    private(set) var records: [ReceivedRecord] = []
    private(set) var rejected: [InvalidRecord] = []

    /// Reads the member `name` of the body, an array of objects, each with `read`.
    ///
    /// - Throws: `RequestError` if the body has no such array.
    init(
        _ body: [UInt8], name: StaticString, atMost limit: Int,
        read: (ParsedJSON) throws(InvalidRecord) -> ReceivedRecord
    ) throws {
        do {
            var list = Self()
            try JSONDocument.read(body) { root in
                guard root.isObject, let members = root[name] else {
                    throw RequestError(400, "expected {\"\(name)\": [...]}")
                }
                guard members.isArray else { throw RequestError(400, "\(name) must be an array") }
                try list.addAll(members, name: name, atMost: limit, read: read)
            }
            self = list
        } catch is InvalidJSON {
            throw RequestError(400, "the body is not valid JSON")
        }
    }

    private init() {}

    /// Reads a single record.
    init(_ element: ParsedJSON, read: (ParsedJSON) throws(InvalidRecord) -> ReceivedRecord) {
        add(element, read: read)
    }

    private mutating func addAll(
        _ members: ParsedJSON, name: StaticString, atMost limit: Int,
        read: (ParsedJSON) throws(InvalidRecord) -> ReceivedRecord
    ) throws {
        try members.forEachElement { element in
            guard element.isObject else { throw RequestError(400, "each element of \(name) must be an object") }
            guard records.count + rejected.count < limit else {
                throw RequestError(413, "a request must have at most \(limit) records")
            }
            add(element, read: read)
        }
    }

    private mutating func add(
        _ element: ParsedJSON, read: (ParsedJSON) throws(InvalidRecord) -> ReceivedRecord
    ) {
        do throws(InvalidRecord) {
            records.append(try read(element))
        } catch {
            rejected.append(error)
        }
    }

    /// Stores the valid records and returns a report.
    func store(_ kind: RecordKind, for request: APIRequest, key: BatchKey?) async throws -> OutcomeReport {
        let outcomes = try await request.store(.records(kind, records), key: key)
        return OutcomeReport(outcomes: outcomes, rejected: rejected) { records[$0].id }
    }
}

/// Reads the figures of metrics.
private enum ProgressReader {
    static func read(_ element: ParsedJSON) throws(InvalidRecord) -> ReceivedRecord {
        var members = MemberReader(element: element)
        members.id = try members.string("source_id", atMost: 256)
        let type = try members.string("type", atMost: 128)
        let granularity = try members.string("granularity", atMost: 16)
        guard granularity == "hour" || granularity == "day" else {
            throw members.rejection("granularity must be hour or day")
        }
        let stated = try members.optionalTime("start")
        guard let day = try members.optionalDay("day") ?? stated.map(MemberReader.wallDay) else {
            throw members.rejection("day is missing")
        }
        if granularity == "hour", stated == nil { throw members.rejection("start is missing") }
        guard let quantity = try members.optionalNumber("quantity") else {
            throw members.rejection("quantity is missing")
        }
        let revision = try members.revision()
        let start = stated?.instant ?? day.utcStart
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("count")
        writer.number(try members.optionalCount("count").map { Double($0) })
        writer.name("day")
        writer.string(day.description)
        writer.name("granularity")
        writer.string(granularity)
        try addHeldTime(members, to: &writer)
        for name: StaticString in ["max", "min"] {
            writer.name(name)
            writer.number(try members.optionalNumber(name))
        }
        writer.name("quantity")
        writer.number(quantity)
        writer.name("revision")
        writer.integer(revision)
        writer.name("source_id")
        writer.string(members.id)
        writer.name("start")
        if let stated { writer.string(stated.text) } else { writer.time(start) }
        writer.name("type")
        writer.string(type)
        writer.name("unit")
        writer.string(try members.optionalString("unit", atMost: 64))
        writer.endObject()
        return ReceivedRecord(
            id: members.id, revision: revision, type: type, granularity: granularity, day: day, start: start,
            body: writer.bytes)
    }

    /// Omitted if missing, so that entries of older clients are stored unchanged.
    private static func addHeldTime(_ members: MemberReader, to writer: inout JSONWriter) throws(InvalidRecord) {
        guard let held = try members.optionalCount("held_ms") else { return }
        writer.name("held_ms")
        writer.integer(held)
    }
}

/// Reads activity snapshots of days. A figure that was not measured is null.
enum SnapshotReader {
    /// The names of the figures in ascending order.
    static let figures: [StaticString] = [
        "active_energy_kcal", "exercise_minutes", "resting_heart_rate", "sleep_minutes", "steps", "walking_distance_km",
    ]

    static func read(_ element: ParsedJSON) throws(InvalidRecord) -> ReceivedRecord {
        var members = MemberReader(element: element)
        let stated = try members.optionalString("source_id", atMost: 256)
        members.id = stated ?? ""
        guard let day = try members.optionalDay("day") else { throw members.rejection("day is missing") }
        if members.id.isEmpty { members.id = "snapshot/\(day)" }
        let revision = try members.revision()
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("day")
        writer.string(day.description)
        for name in figures {
            writer.name(name)
            writer.number(try members.optionalNumber(name, atLeast: 0))
        }
        writer.name("revision")
        writer.integer(revision)
        writer.name("source_id")
        writer.string(members.id)
        writer.endObject()
        return ReceivedRecord(
            id: members.id, revision: revision, day: day, start: day.utcStart, body: writer.bytes)
    }
}
