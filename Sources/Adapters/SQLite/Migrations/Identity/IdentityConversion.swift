import HealthSyncDomain
import HealthSyncPorts

/// Moves samples to their origins according to decision 22, and removes attributes that no longer count as identity.
struct IdentityConversion {
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
