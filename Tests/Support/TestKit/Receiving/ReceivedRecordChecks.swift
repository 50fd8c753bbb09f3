import HealthSyncDomain
import HealthSyncPorts

enum ReceivedRecordChecks {
    static let all: [ReceivedStoreCheck] = [
        ("a record is stored once, replaced by a higher revision, and keeps its time of creation", revisions),
        ("a tombstone hides a record and remains after a late repetition", deletes),
        ("records are selected by day, type, granularity and id, in pages", queries),
        ("records of a range of days, or all tombstones, are scanned, also in pages by id", scans),
        ("the version changes with the records of the user, and is the same at some time without changes", versions),
        ("users neither see nor change each other's data", keepsUsersApart),
    ]

    private static func record(
        _ id: String, revision: Int64 = 0, day: Int = 19_700, type: String = "", granularity: String = "",
        body: String = "{}"
    ) -> ReceivedRecord {
        let calendarDay = CalendarDay(ordinal: day)
        return ReceivedRecord(
            id: id, revision: revision, type: type, granularity: granularity, day: calendarDay,
            start: calendarDay.utcStart, body: Array(body.utf8))
    }

    @Sendable static func revisions(_ store: any ReceivedDataStore) async throws {
        let first = record("night-1", revision: 1, body: #"{"a":1}"#)
        let second = record("night-1", revision: 2, body: #"{"a":2}"#)
        try ContractViolation.unlessEqual(try await store.put([first], .sleep), [.created], "first")
        try ContractViolation.unlessEqual(try await store.put([first], .sleep), [.duplicate], "repetition")
        let later = ReceivingSamples.now.advanced(bySeconds: 60)
        try ContractViolation.unlessEqual(try await store.put([second], .sleep, at: later), [.updated], "second")
        try ContractViolation.unlessEqual(try await store.put([first], .sleep), [.duplicate], "late")
        try ContractViolation.unlessEqual(
            try await store.records(RecordQuery(user: .local, kind: .sleep)),
            [StoredRecord(record: second, createdAt: ReceivingSamples.now, updatedAt: later)], "stored")
        try ContractViolation.unlessEqual(
            try await store.put([first, second, first], .progress), [.created, .updated, .duplicate], "in one request")
    }

    @Sendable static func deletes(_ store: any ReceivedDataStore) async throws {
        _ = try await store.put([record("a", revision: 1), record("b")], .snapshots)
        try ContractViolation.unlessEqual(
            try await store.put([.tombstone("a", revision: 0)], .snapshots), [.duplicate], "older deletion")
        try ContractViolation.unlessEqual(
            try await store.put([.tombstone("a", revision: 1)], .snapshots), [.updated], "deletion")
        try ContractViolation.unlessEqual(
            try await store.put([record("a", revision: 1)], .snapshots), [.duplicate], "late repetition")
        let query = RecordQuery(user: .local, kind: .snapshots)
        try ContractViolation.unlessEqual(try await store.records(query).map(\.record.id), ["b"], "stored")
        try ContractViolation.unlessEqual(try await store.recordCount(query), 1, "count")
    }

    @Sendable static func queries(_ store: any ReceivedDataStore) async throws {
        var records: [ReceivedRecord] = []
        for day in 0..<5 {
            records.append(record("s\(day)", day: 19_700 + day, type: "steps", granularity: "day"))
            records.append(record("h\(day)", day: 19_700 + day, type: "steps", granularity: "hour"))
            records.append(record("e\(day)", day: 19_700 + day, type: "energy", granularity: "day"))
        }
        _ = try await store.put(records.reversed(), .progress)
        var query = RecordQuery(user: .local, kind: .progress)
        query.type = "steps"
        query.granularity = "day"
        query.from = CalendarDay(ordinal: 19_701)
        query.through = CalendarDay(ordinal: 19_703)
        try ContractViolation.unlessEqual(
            try await store.records(query).map(\.record.id), ["s1", "s2", "s3"], "days")
        query.isDescending = true
        query.offset = 1
        query.limit = 1
        try ContractViolation.unlessEqual(try await store.records(query).map(\.record.id), ["s2"], "page")
        try ContractViolation.unlessEqual(try await store.recordCount(query), 3, "count")
        var byID = RecordQuery(user: .local, kind: .progress)
        byID.id = "e4"
        try ContractViolation.unlessEqual(try await store.records(byID).map(\.record.type), ["energy"], "id")
        try ContractViolation.unlessEqual(
            try await store.inventory(of: .local).records.map { "\($0.type) \($0.count) \($0.lastDay)" },
            ["energy 5 2023-12-13", "steps 10 2023-12-13"], "inventory")
        _ = try await store.put([record("w", type: "weight", granularity: "day")], .progress)
        _ = try await store.put([.tombstone("w", revision: 2)], .progress)
        _ = try await store.put([record("night", type: "sleep")], .sleep)
        try ContractViolation.unlessEqual(
            try await store.recordTypes(of: .progress, user: .local), ["energy", "steps"], "types")
    }

    @Sendable static func scans(_ store: any ReceivedDataStore) async throws {
        let names = ["b", "a", "\u{E9}", "Z", "e\u{302}", "c"]
        let records = names.enumerated().map { record($1, revision: 7, day: 19_700 + $0, body: "{\"name\":\"\($1)\"}") }
        _ = try await store.put(records, .progress)
        _ = try await store.put([record("b", revision: 1)], .sleep)
        _ = try await store.put([.tombstone("c", revision: 9), .tombstone("never", revision: 3)], .progress)
        func ids(_ scan: RecordScan) async throws -> [String] {
            try await store.fold(scan, into: [String]()) { $0.append("\($1.id) \($1.revision)") }
        }
        var scan = RecordScan(user: .local, kind: .progress)
        try ContractViolation.unlessEqual(
            Set(try await store.fold(scan, into: [ReceivedRecord]()) { $0.append($1) }), Set(records.dropLast()), "all")
        scan.from = CalendarDay(ordinal: 19_701)
        scan.through = CalendarDay(ordinal: 19_702)
        try ContractViolation.unlessEqual(Set(try await ids(scan)), ["a 7", "\u{E9} 7"], "of days")
        scan.isOfTombstones = true
        try ContractViolation.unlessEqual(Set(try await ids(scan)), ["c 9", "never 3"], "tombstones")
        scan.page = RecordScan.Page(after: "c", limit: 5)
        try ContractViolation.unlessEqual(try await ids(scan), ["never 3"], "tombstones by id")
        scan = RecordScan(user: .local, kind: .progress)
        var pages: [[String]] = []
        var after = ""
        repeat {
            scan.page = RecordScan.Page(after: after, limit: 2)
            pages.append(try await ids(scan))
            after = pages.last?.last.map { String($0.dropLast(2)) } ?? ""
        } while !after.isEmpty
        try ContractViolation.unlessEqual(
            pages.map { $0.map { Array($0.utf8) } },
            [["Z 7", "a 7"], ["b 7", "e\u{302} 7"], ["\u{E9} 7"], []].map { $0.map { Array($0.utf8) } }, "pages by id")
        guard let anna = UserName("anna") else { throw ContractViolation("anna is not a user name") }
        try ContractViolation.unlessEqual(
            try await ids(RecordScan(user: anna, kind: .progress)), [], "of another user")
    }

    @Sendable static func versions(_ store: any ReceivedDataStore) async throws {
        var known: [DataVersion?] = [try await store.version(of: .local)]
        for revision in 1...3 as ClosedRange<Int64> {
            _ = try await store.put([record("a", revision: revision)], .sleep)
            let version = try await store.version(of: .local)
            try ContractViolation.unless(version != nil && !known.contains(version), "a version of earlier records")
            known.append(version)
        }
        // Changes of others, such as the tests beside this one, may also change it.
        var (before, attempts) = (try await store.version(of: .local), 0)
        while attempts < 10_000 {
            let now = try await store.version(of: .local)
            if now == before { return }
            (before, attempts) = (now, attempts + 1)
        }
        throw ContractViolation("the version always changes")
    }

    @Sendable static func keepsUsersApart(_ store: any ReceivedDataStore) async throws {
        guard let anna = UserName("anna") else { throw ContractViolation("anna is not a user name") }
        let samples = ReceivingSamples.steps(2)
        _ = try await store.put(samples)
        _ = try await store.put([record("a", revision: 1)], .sleep)
        try ContractViolation.unlessEqual(
            try await store.samples(SampleQuery(user: anna, type: "steps")).batch.samples.count, 0, "anna's samples")
        try ContractViolation.unlessEqual(
            try await store.put(samples, user: anna), [.created, .created], "the same ids of another user")
        try ContractViolation.unlessEqual(
            try await store.put([.tombstone("a", revision: 9)], .sleep, user: anna), [.created], "anna's deletion")
        try ContractViolation.unlessEqual(try await store.removeAllSamples(of: "steps", user: anna), 2, "removed")
        try ContractViolation.unlessEqual(try await store.all().count, 2, "unchanged samples")
        try ContractViolation.unlessEqual(
            try await store.recordCount(RecordQuery(user: .local, kind: .sleep)), 1, "unchanged records")
        try ContractViolation.unlessEqual(
            try await store.inventory(of: anna), ReceivedInventory(), "anna's inventory")
    }
}
