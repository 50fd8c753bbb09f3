import HealthSyncDomain
import HealthSyncPorts

extension Migration {
    /// Reduces devices to the part that updates and restores do not change, and removes identities from
    /// `HKExternalUUID` (decision 22).
    ///
    /// Merges origins that become equal, and their pages. For types delivered as samples, records the former content of
    /// each page and that its ids follow the former rule: the next run with a server deletes the former ids there and
    /// sends the samples under the new ones.
    static let sampleIdentity = Migration(
        number: 14,
        sql: """
            ALTER TABLE changed_page ADD COLUMN is_former INTEGER NOT NULL DEFAULT 0;
            UPDATE changed_page SET is_former = 1;
            """
    ) { connection, hasher in
        var conversion = try IdentityConversion(connection, hasher: hasher)
        try conversion.run()
        return conversion.note
    }
}

/// Moves samples to their origins according to decision 22, and removes attributes that no longer count as identity.
private struct IdentityConversion {
    /// The note for the user; `nil` if nothing must be imported again.
    var note: String? {
        guard pages.stripped > 0 else { return nil }
        return
            "\(pages.stripped) samples were stored under an HKExternalUUID, which does not identify a sample, and may"
            + " have replaced others; the next import of an Apple Health export restores those"
    }

    private let connection: SQLiteConnection
    private let origins: ConvertedOrigins
    private var pages: ConvertedPages

    init(_ connection: SQLiteConnection, hasher: (any ContentHasher)?) throws {
        self.connection = connection
        origins = try ConvertedOrigins(over: connection)
        pages = ConvertedPages(connection, origins: origins, hasher: hasher)
    }

    mutating func run() throws {
        let types = try connection.rows(
            """
            SELECT id, identifier, EXISTS (SELECT 1 FROM layered_type WHERE type_id = sample_type.id) FROM sample_type
            """
        ) { row in
            ConvertedPages.PageType(
                id: try row.integer(), type: SampleType(rawValue: try row.text()), isLayered: try row.bool())
        }
        for type in types {
            try convertTombstones(of: type)
            try convertPages(of: type)
        }
        for origin in origins.former {
            try connection.execute(
                "DELETE FROM origin WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM changed_page WHERE origin_id = ?1)",
                origin)
        }
        if pages.stripped > 0 {
            // Samples replaced within a page are lost: an export that has not changed since must be read again.
            try connection.execute(
                "UPDATE ingested_source SET content = '' WHERE provider = ?", ConvertedOrigins.appleHealth)
        }
    }

    private mutating func convertPages(of type: ConvertedPages.PageType) throws {
        var lines: [ConvertedPages.Place: [(line: Int, id: Int64)]] = [:]
        _ = try connection.rows("SELECT day, origin_id, line, id FROM line_page WHERE type_id = ?", type.id) { row in
            lines[ConvertedPages.Place(day: try row.day(), origin: try row.integer()), default: []].append(
                (try row.int(), try row.integer()))
        }
        for (place, members) in try groups(of: "sample_page", type) {
            let held = members.map { lines[ConvertedPages.Place(day: place.day, origin: $0.origin)] ?? [] }
            if held.contains(where: { !$0.isEmpty }) {
                try pages.convertLineages(zip(members, held), of: type, to: place)
            }
            try pages.convert(members, of: type, to: place)
        }
    }

    private mutating func convertTombstones(of type: ConvertedPages.PageType) throws {
        for (place, members) in try groups(of: "sample_tombstone", type) {
            try pages.convertTombstones(members, of: type, to: place)
        }
    }

    /// Returns the rows of each page that must change, grouped by the day and origin of their samples.
    private func groups(
        of table: String, _ type: ConvertedPages.PageType
    ) throws -> [(place: ConvertedPages.Place, members: [ConvertedPages.Member])] {
        var groups: [ConvertedPages.Place: [ConvertedPages.Member]] = [:]
        var affected: Set<ConvertedPages.Place> = []
        var providers: [CalendarDay: Set<String>] = [:]
        _ = try connection.rows(
            "SELECT id, day, origin_id, substr(columns, 2, 1) FROM \(table) WHERE type_id = ? ORDER BY origin_id, id",
            type.id
        ) { row in
            let id = try row.integer()
            let day = try row.day()
            let origin = try row.integer()
            let hasDetails = try row.blob().first.map { $0 & 16 != 0 } ?? false
            let place = ConvertedPages.Place(day: day, origin: origins.target(of: origin))
            groups[place, default: []].append(ConvertedPages.Member(id: id, origin: origin))
            if place.origin != origin || hasDetails { affected.insert(place) }
            if type.isLayered, let provider = origins.provider(of: origin) {
                providers[day, default: []].insert(provider)
            }
        }
        // On days with several inputs, servers have each measurement once per input.
        for place in groups.keys where providers[place.day]?.count ?? 0 > 1 { affected.insert(place) }
        return affected.sorted { ($0.day, $0.origin) < ($1.day, $1.origin) }.map { ($0, groups[$0] ?? []) }
    }
}

/// Maps each row of `origin` to the origin with the stable part of its device. Creates missing rows.
private struct ConvertedOrigins {
    static let appleHealth = "appleHealth"

    /// The rows that are replaced by others.
    var former: [Int64] { targets.keys.sorted() }

    private var targets: [Int64: Int64] = [:]
    private var rows: [Int64: Row] = [:]

    private struct Row: Hashable {
        var provider: String
        var origin: SampleOrigin
    }

    init(over connection: SQLiteConnection) throws {
        let known = try connection.rows(
            "SELECT id, provider, source_name, device, is_user_entered, is_pre_aggregated FROM origin ORDER BY id"
        ) { row in
            (
                id: try row.integer(),
                row: Row(
                    provider: try row.text(),
                    origin: SampleOrigin(
                        sourceName: try row.text(), device: try row.text(), isUserEntered: try row.bool(),
                        isPreAggregated: try row.bool()))
            )
        }
        rows = Dictionary(known.map { ($0.id, $0.row) }, uniquingKeysWith: { first, _ in first })
        var ids = Dictionary(known.map { ($0.row, $0.id) }, uniquingKeysWith: { first, _ in first })
        for (id, row) in known {
            let stable = Row(
                provider: row.provider,
                origin: SampleOrigin(
                    sourceName: row.origin.sourceName, device: DeviceText.stablePart(of: row.origin.device),
                    isUserEntered: row.origin.isUserEntered, isPreAggregated: row.origin.isPreAggregated))
            guard stable != row else { continue }
            if ids[stable] == nil {
                try connection.execute(
                    """
                    INSERT INTO origin (provider, source_name, device, is_user_entered, is_pre_aggregated)
                    VALUES (?, ?, ?, ?, ?)
                    """, stable.provider, stable.origin.sourceName, stable.origin.device, stable.origin.isUserEntered,
                    stable.origin.isPreAggregated)
                ids[stable] = connection.lastInsertedRowID
                rows[connection.lastInsertedRowID] = stable
            }
            targets[id] = ids[stable]
        }
    }

    func target(of origin: Int64) -> Int64 { targets[origin] ?? origin }

    /// Returns whether samples of the origin may have an identity from `HKExternalUUID`.
    func mayHaveUUIDs(_ origin: Int64) -> Bool { rows[origin]?.provider == Self.appleHealth }

    func provider(of origin: Int64) -> String? { rows[origin]?.provider }

    func origin(_ id: Int64, path: String) throws -> SampleOrigin {
        guard let row = rows[id] else {
            throw SQLiteFailure.damaged(path, "the database contains a page without an origin")
        }
        return row.origin
    }
}

/// Merges the samples of several pages of a day into one page of their common origin.
private struct ConvertedPages {
    struct PageType {
        let id: Int64
        let type: SampleType
        let isLayered: Bool
    }

    struct Place: Hashable {
        let day: CalendarDay
        let origin: Int64
    }

    /// The row id of a page and its origin.
    struct Member {
        let id: Int64
        let origin: Int64
    }

    /// The number of samples whose identity was removed.
    private(set) var stripped = 0
    private let connection: SQLiteConnection
    private let origins: ConvertedOrigins
    private let hasher: (any ContentHasher)?

    init(_ connection: SQLiteConnection, origins: ConvertedOrigins, hasher: (any ContentHasher)?) {
        self.connection = connection
        self.origins = origins
        self.hasher = hasher
    }

    mutating func convert(_ members: [Member], of type: PageType, to place: Place) throws {
        var columns = SampleColumns()
        for member in members {
            let bytes = try bytes(of: member.id, in: "sample_page")
            columns.append(try samples(bytes, of: member.origin, isCounted: true))
            if type.isLayered { try recordFormer(bytes, of: type, at: Place(day: place.day, origin: member.origin)) }
            try connection.execute("DELETE FROM sample_page WHERE id = ?", member.id)
        }
        if type.isLayered { try recordFormer(nil, of: type, at: place) }
        guard let page = try packed(columns, of: type, at: place) else { return }
        try connection.execute(
            """
            INSERT INTO sample_page
                (type_id, day, origin_id, count, sum, first_start_ms, last_end_ms, digest, columns)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, type.id, place.day, place.origin, page.summary.count, page.summary.sum, page.summary.firstStart,
            page.summary.lastEnd, page.digest, SQLiteValue.blob(page.bytes))
    }

    mutating func convertTombstones(_ members: [Member], of type: PageType, to place: Place) throws {
        var columns = SampleColumns()
        var latest = Instant(milliseconds: .min)
        for member in members {
            columns.append(try samples(bytes(of: member.id, in: "sample_tombstone"), of: member.origin))
            let date = try connection.first(
                "SELECT export_date_ms FROM sample_tombstone WHERE id = ?", member.id, read: { try $0.instant() })
            latest = max(latest, date ?? latest)
            try connection.execute("DELETE FROM sample_tombstone WHERE id = ?", member.id)
        }
        guard let page = try packed(columns, of: type, at: place) else { return }
        try connection.execute(
            """
            INSERT INTO sample_tombstone
                (type_id, day, origin_id, count, sum, first_start_ms, last_end_ms, digest, export_date_ms, columns)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, type.id, place.day, place.origin, page.summary.count, page.summary.sum, page.summary.firstStart,
            page.summary.lastEnd, page.digest, latest, SQLiteValue.blob(page.bytes))
    }

    /// Merges what export lineages contain of the pages. A page without such rows belongs to the first lineage. Call
    /// this before the pages themselves are merged.
    mutating func convertLineages(
        _ members: some Sequence<(Member, [(line: Int, id: Int64)])>, of type: PageType, to place: Place
    ) throws {
        var lines: [Int: SampleColumns] = [:]
        for (member, held) in members {
            if held.isEmpty {
                lines[0, default: SampleColumns()].append(
                    try samples(bytes(of: member.id, in: "sample_page"), of: member.origin))
            }
            for row in held {
                lines[row.line, default: SampleColumns()].append(
                    try samples(bytes(of: row.id, in: "line_page"), of: member.origin))
                try connection.execute("DELETE FROM line_page WHERE id = ?", row.id)
            }
        }
        for (line, columns) in lines.sorted(by: { $0.key < $1.key }) {
            guard let page = try packed(columns, of: type, at: place) else { continue }
            try connection.execute(
                """
                INSERT INTO line_page
                    (type_id, day, origin_id, line, count, sum, first_start_ms, last_end_ms, digest, columns)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, type.id, place.day, place.origin, line, page.summary.count, page.summary.sum,
                page.summary.firstStart, page.summary.lastEnd, page.digest, SQLiteValue.blob(page.bytes))
        }
    }

    /// Records the former content of a page, from which the ids that servers know are computed.
    private func recordFormer(_ bytes: [UInt8]?, of type: PageType, at place: Place) throws {
        try connection.execute(
            """
            INSERT OR IGNORE INTO changed_page (type_id, day, origin_id, columns, is_former) VALUES (?, ?, ?, ?, 1)
            """, type.id, place.day, place.origin, bytes.map(SQLiteValue.blob) ?? .null)
    }

    private func bytes(of id: Int64, in table: String) throws -> [UInt8] {
        guard let bytes = try connection.first("SELECT columns FROM \(table) WHERE id = ?", id, read: { try $0.blob() })
        else { throw SQLiteFailure.damaged(connection.path, "a page is missing") }
        return bytes
    }

    private mutating func samples(
        _ bytes: [UInt8], of origin: Int64, isCounted: Bool = false
    ) throws -> SampleColumns {
        guard var columns = try? SamplePageCodec.decode(bytes) else {
            throw SQLiteFailure.damaged(connection.path, "the database contains a damaged page")
        }
        guard origins.mayHaveUUIDs(origin) else { return columns }
        for (row, detail) in columns.details where (detail.externalID == nil) != (detail.syncVersion == nil) {
            if isCounted, detail.externalID != nil { stripped += 1 }
            var detail = detail
            (detail.externalID, detail.syncVersion) = (nil, nil)
            columns.details[row] = detail == SampleDetail() ? nil : detail
        }
        return columns
    }

    private func packed(_ columns: SampleColumns, of type: PageType, at place: Place) throws -> PackedPage? {
        guard let hasher else {
            throw SQLiteFailure.damaged(connection.path, "the database cannot be migrated")
        }
        let origin = try origins.origin(place.origin, path: connection.path)
        let columns = columns.normalized(origin.isPreAggregated ? .byBucket : .byContent).columns
        guard let summary = SamplePageSummary(of: columns) else { return nil }
        let key = SamplePageKey(type: type.type, origin: origin, day: place.day)
        let bytes = SamplePageCodec.encode(columns, day: place.day)
        return PackedPage(
            key: key, summary: summary, bytes: bytes, digest: hasher.pageDigest(of: bytes, at: key))
    }
}
