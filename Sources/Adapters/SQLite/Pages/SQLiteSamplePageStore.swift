import HealthSyncDomain
import HealthSyncPorts

/// The samples of the local store, in the tables `sample_page` and `sample_tombstone`.
struct SQLiteSamplePageStore: SamplePageStore {
    let writer: SQLiteWriter
    let reader: SQLiteReader

    func changePages<Result: Sendable>(
        _ body: @escaping @Sendable (any SamplePageTransaction) throws -> Result
    ) async throws -> Result {
        try await writer.write {
            let transaction = try SQLitePageTransaction($0)
            let result = try body(transaction)
            try transaction.finish()
            return result
        }
    }

    func importedSource(path: String) async throws -> ImportedSource? {
        try await reader.read { connection in
            try connection.first(
                "SELECT \(Self.sourceColumns) FROM ingested_source WHERE path = ?", path, read: Self.source)
        }
    }

    func importedSources() async throws -> [ImportedSource] {
        try await reader.read { connection in
            try connection.rows(
                "SELECT \(Self.sourceColumns) FROM ingested_source ORDER BY ingested_at_ms DESC, path",
                read: Self.source)
        }
    }

    private static let sourceColumns = "path, content, provider, export_date_ms, selection, ingested_at_ms"

    private static func source(_ row: SQLiteStatement) throws -> ImportedSource {
        ImportedSource(
            fingerprint: SourceFingerprint(path: try row.text(), content: try row.text()), provider: try row.text(),
            exportDate: try row.optional { try $0.instant() }, selection: try row.digest(),
            importedAt: try row.instant())
    }
}

extension SQLiteSamplePageStore {
    func pageDigests(
        of types: [SampleType], utcDays days: DayRange
    ) async throws -> [CalendarDay: [ContentDigest]] {
        try await reader.read { connection in
            var found: [CalendarDay: [ContentDigest]] = [:]
            for type in Set(types).sorted() {
                let rows = try connection.rows(
                    """
                    SELECT day, digest FROM sample_page
                    WHERE type_id = (SELECT id FROM sample_type WHERE identifier = ?) AND day BETWEEN ? AND ?
                    """, type.rawValue, days.first, days.last
                ) { row in (try row.day(), try row.digest()) }
                for (day, digest) in rows { found[day, default: []].append(digest) }
            }
            for row in try DeletedRows.rows(of: types, days: days, over: connection) {
                guard let content = row.content else { continue }
                found[content.key.day, default: []].append(content.digest)
            }
            return found
        }
    }

    func deletedRows(of types: [SampleType], utcDays days: DayRange) async throws -> [DeletedRow] {
        try await reader.read { try DeletedRows.rows(of: types, days: days, over: $0) }
    }

    func pages(of types: [SampleType], utcDays days: DayRange) async throws -> [PackedPage] {
        try await reader.read { try Self.pages(of: types, utcDays: days, over: $0) }
    }

    static func pages(
        of types: [SampleType], utcDays days: DayRange, over connection: SQLiteConnection
    ) throws -> [PackedPage] {
        let origins = try OriginTable(over: connection)
        var pages: [PackedPage] = []
        for type in Set(types).sorted() {
            let rows = try connection.rows(
                """
                SELECT day, origin_id, count, sum, first_start_ms, last_end_ms, digest, columns FROM sample_page
                WHERE type_id = (SELECT id FROM sample_type WHERE identifier = ?) AND day BETWEEN ? AND ?
                """, type.rawValue, days.first, days.last
            ) { row in
                let day = try row.day()
                let origin = try row.integer()
                let key = SamplePageKey(
                    type: type, origin: try origins.origin(origin, path: connection.path), day: day)
                var page = try row.page(at: key)
                page.provider = origins.providers[origin] ?? ""
                return (origin: origin, page: page)
            }
            // Row ids depend on the order of insertion; the order of pages must not.
            let ranked = rows.map { (rank: origins.ranks[$0.origin, default: .max], page: $0.page) }
            pages += ranked.sorted { ($0.page.key.day, $0.rank) < ($1.page.key.day, $1.rank) }.map(\.page)
        }
        return pages
    }

    func sourceNames() async throws -> [String] {
        try await reader.read { connection in
            try connection.rows("SELECT DISTINCT source_name FROM origin ORDER BY source_name") { try $0.text() }
        }
    }

    func daysWithoutNotations() async throws -> Int {
        try await reader.read { connection in
            let others = try connection.first(
                "SELECT count(*) FROM origin WHERE provider <> ?", InputSamples.exportProvider
            ) { try $0.int() }
            // Without other inputs, no page needs to be read.
            guard let others, others > 0 else { return 0 }
            return try connection.first(
                """
                SELECT count(DISTINCT page.day) FROM sample_page AS page JOIN origin ON origin.id = page.origin_id
                JOIN sample_type ON sample_type.id = page.type_id
                WHERE origin.provider = ?1 AND identifier LIKE 'HKQuantityTypeIdentifier%'
                    AND EXISTS (SELECT 1 FROM sample_page AS other JOIN origin ON origin.id = other.origin_id
                        WHERE other.type_id = page.type_id AND other.day = page.day AND provider <> ?1)
                    AND substr(page.columns, 1, 1) = ?2
                """, InputSamples.exportProvider, SQLiteValue.blob([SamplePageCodec.formerVersion])
            ) { try $0.int() } ?? 0
        }
    }

    func unsentSamples() async throws -> UnsentSamples {
        try await reader.read { try FeedRows.unsent(over: $0) }
    }

    func longestSample(of types: [SampleType]) async throws -> Int64 {
        try await reader.read { connection in
            try types.reduce(Int64(0)) { longest, type in
                let stored = try connection.first(
                    "SELECT longest_ms FROM sample_type WHERE identifier = ?", type.rawValue
                ) { try $0.integer() }
                return max(longest, stored ?? 0)
            }
        }
    }

    func dayExtent(of types: [SampleType]) async throws -> DayRange? {
        try await reader.read { connection in
            var extent: DayRange?
            for type in types {
                // Two subqueries, because each is then a single index lookup.
                let found = try connection.first(
                    """
                    SELECT (SELECT min(day) FROM sample_page WHERE type_id = sample_type.id),
                        (SELECT max(day) FROM sample_page WHERE type_id = sample_type.id)
                    FROM sample_type WHERE identifier = ?
                    """, type.rawValue
                ) { row in (try row.optional { try $0.day() }, try row.optional { try $0.day() }) }
                guard let first = found?.0, let last = found?.1 else { continue }
                extent = DayRange(min(extent?.first ?? first, first), through: max(extent?.last ?? last, last))
            }
            return extent
        }
    }

    func storedTypes() async throws -> [SampleTypeDefinition] {
        try await definitions("WHERE EXISTS (SELECT 1 FROM sample_page WHERE type_id = sample_type.id)")
    }

    func knownTypes() async throws -> [SampleTypeDefinition] { try await definitions("") }

    private func definitions(_ condition: String) async throws -> [SampleTypeDefinition] {
        try await reader.read { connection in
            try connection.rows("SELECT identifier, definition FROM sample_type \(condition) ORDER BY identifier") {
                row in
                try TypeDefinitionText.definition(
                    SampleType(rawValue: try row.text()), try row.text(), path: connection.path)
            }
        }
    }
}
