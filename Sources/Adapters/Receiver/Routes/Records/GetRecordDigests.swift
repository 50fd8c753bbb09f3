import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/digest/records?kind=`: returns digests of the derived records of a kind by month, and of its
/// tombstones.
struct GetRecordDigests: Endpoint {
    let operation = Operation(
        "GET", "/api/v1/digest/records", .scope(.read),
        OpenAPIOperation(
            summary: "Get digests of the derived records of a kind by month, and of its tombstones",
            query: [.recordKind, .from, .to], responses: [(200, "RecordDigests")],
            errors: OpenAPIOperation.readErrors))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        var scan = try request.recordScan()
        let kind = scan.kind
        let days = try await request.services.store.fold(scan, into: [CalendarDay: RecordSetDigest]()) { days, record in
            days[record.day, default: .zero].insert(RecordChecksum.entry(of: record, kind: kind).content)
        }
        scan.isOfTombstones = true
        let deleted = try await request.services.store.fold(scan, into: RecordSetDigest.zero) { digest, record in
            digest.insert(RecordChecksum.entry(of: record, kind: kind).content)
        }
        var months: [CalendarPeriod: RecordSetDigest] = [:]
        for (day, digest) in days { months[CalendarPeriod(.month, holding: day), default: .zero] += digest }
        var writer = JSONWriter(reserving: 80 * months.count + 256)
        writer.beginObject()
        writer.name("kind")
        writer.string(kind.rawValue)
        writer.name("months")
        writer.beginArray()
        for (month, digest) in months.sorted(by: { $0.key < $1.key }) {
            writer.beginObject()
            writer.name("month")
            writer.string(month.description)
            Self.write(digest, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.name("deleted")
        writer.beginObject()
        Self.write(deleted, to: &writer)
        writer.endObject()
        writer.endObject()
        return .json(writer.bytes)
    }

    private static func write(_ digest: RecordSetDigest, to writer: inout JSONWriter) {
        writer.name("count")
        writer.integer(digest.count)
        writer.name("content")
        writer.string(HexDigits.text(digest.content))
    }
}

extension APIRequest {
    /// Returns the selection of records by the query parameters `kind`, `from` and `to`.
    func recordScan() throws -> RecordScan {
        guard let text = query["kind"] else { throw RequestError(400, "kind is missing") }
        let kind = RecordKind(rawValue: text)
        guard [.progress, .sleep, .snapshots].contains(kind) else {
            throw RequestError(400, "kind must be progress, sleep or snapshots")
        }
        var scan = RecordScan(user: user, kind: kind)
        scan.from = try day("from")
        scan.through = try day("to")
        return scan
    }
}

/// Computes the checksum of a stored record from its members.
enum RecordChecksum {
    /// Returns the entry of `record` for a verification. An invalid body counts as a body without members, which no
    /// client sends.
    static func entry(of record: ReceivedRecord, kind: RecordKind) -> RecordEntry {
        var fold = RecordContent.fold(id: record.id, revision: record.revision)
        if !record.isDeleted {
            let parsed: Void? = try? JSONDocument.read(record.body) { body in
                switch kind {
                case .progress: addProgress(body, to: &fold)
                case .sleep: addSleep(body, to: &fold)
                default: addSnapshot(body, to: &fold)
                }
            }
            if parsed == nil { fold.addNull() }
        }
        return RecordEntry(
            id: record.id, day: record.isDeleted ? nil : record.day, revision: Int(record.revision),
            content: fold.state)
    }

    private static func addProgress(_ body: ParsedJSON, to fold: inout ContentFold) {
        add(["type", "granularity", "day", "start"], of: body, to: &fold)
        add(["quantity", "min", "max", "count", "held_ms"], of: body, to: &fold)
        add(["unit"], of: body, to: &fold)
    }

    private static func addSleep(_ body: ParsedJSON, to fold: inout ContentFold) {
        add(["start_time", "end_time", "source", "notes"], of: body, to: &fold)
        add(SleepReader.figureNames, of: body, to: &fold)
        var count: Int64 = 0
        var stages = ContentFold()
        body["stages"]?.forEachElement { stage in
            count += 1
            add(["stage", "start_time", "end_time"], of: stage, to: &stages)
        }
        fold.add(count)
        fold.add(Int64(bitPattern: stages.state))
        if body["day"] != nil { addPlace(body, to: &fold) }
    }

    private static func addPlace(_ body: ParsedJSON, to fold: inout ContentFold) {
        add(["day", "night_id", "role"], of: body, to: &fold)
        guard let counted = body["counted"], counted.isObject else { return fold.addNull() }
        add(SleepPlace.figureNames, of: counted, to: &fold)
        var count: Int64 = 0
        counted["stretches"]?.forEachElement { _ in count += 1 }
        fold.add(count)
        counted["stretches"]?.forEachElement { add(["start_time", "end_time"], of: $0, to: &fold) }
    }

    private static func addSnapshot(_ body: ParsedJSON, to fold: inout ContentFold) {
        add(["day"], of: body, to: &fold)
        add(SnapshotReader.figures, of: body, to: &fold)
    }

    /// Adds the members with these names in their order. A value that is neither a string nor a number counts as
    /// missing.
    private static func add(_ names: [StaticString], of object: ParsedJSON, to fold: inout ContentFold) {
        for name in names {
            guard let value = object[name] else {
                fold.addNull()
                continue
            }
            if let number = value.number {
                fold.add(number)
            } else if unsafe value.withUTF8({ unsafe fold.add(utf8: $0) }) == nil {
                fold.addNull()
            }
        }
    }
}

/// `GET /api/v1/digest/entries?kind=`: returns id, revision and checksum of each derived record, or of each tombstone,
/// in pages ordered by the UTF-8 bytes of the ids.
struct GetRecordEntries: Endpoint {
    private static let largestPage: Int64 = 5_000

    let operation = Operation(
        "GET", "/api/v1/digest/entries", .scope(.read),
        OpenAPIOperation(
            summary: "Get id, revision and checksum of each derived record of a kind, ordered by id",
            query: [
                .recordKind, .from, .to, .init(name: "deleted", schema: #"{"type":"boolean"}"#),
                .init(name: "after", schema: OpenAPIOperation.Schema.text), .limit(Int(largestPage)),
            ], responses: [(200, "RecordEntries")], errors: OpenAPIOperation.readErrors))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        var scan = try request.recordScan()
        let deleted = request.query["deleted"] ?? "false"
        guard deleted == "true" || deleted == "false" else { throw RequestError(400, "deleted must be true or false") }
        scan.isOfTombstones = deleted == "true"
        let limit = Int(try request.integer("limit", in: 1...Self.largestPage) ?? Self.largestPage)
        let after = request.query["after"]
        guard after != "" else { throw RequestError(400, "after must not be empty") }
        // One additional entry shows whether more follow.
        scan.page = RecordScan.Page(after: after ?? "", limit: limit + 1)
        let kind = scan.kind
        let entries = try await request.services.store.fold(scan, into: [RecordEntry]()) { entries, record in
            entries.append(RecordChecksum.entry(of: record, kind: kind))
        }
        return .json(Self.json(entries, kind: kind, limit: limit))
    }

    private static func json(_ entries: [RecordEntry], kind: RecordKind, limit: Int) -> [UInt8] {
        var writer = JSONWriter(reserving: 128 * entries.count + 128)
        writer.beginObject()
        writer.name("kind")
        writer.string(kind.rawValue)
        writer.name("entries")
        writer.beginArray()
        for entry in entries.prefix(limit) {
            writer.beginObject()
            writer.name("id")
            writer.string(entry.id)
            if let day = entry.day {
                writer.name("day")
                writer.string(day.description)
            }
            writer.name("revision")
            writer.integer(entry.revision)
            writer.name("content")
            writer.string(HexDigits.text(entry.content))
            writer.endObject()
        }
        writer.endArray()
        if entries.count > limit {
            writer.name("next")
            writer.string(entries[limit - 1].id)
        }
        writer.endObject()
        return writer.bytes
    }
}
