import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Changes to pages in an open transaction.
struct SQLitePageTransaction: SamplePageTransaction {
    private let transaction: SQLiteTransaction
    private var connection: SQLiteConnection { transaction.connection }
    private var references: ReferenceRows { transaction.references }

    private let pending = PendingPages()
    /// Whether changes of pages are recorded for any type.
    private let notesChanges: Bool

    init(_ transaction: SQLiteTransaction) throws {
        self.transaction = transaction
        notesChanges = try ChangedPageRows.areNoted(over: transaction.connection)
    }

    /// Writes the pages that wait to be written.
    func finish() throws { try pending.write(over: connection) }

    func digests(provider: String, types: [SampleType]) throws -> [SamplePageKey: ContentDigest] {
        try pending.write(over: connection)
        let origins = try OriginTable(provider: provider, over: connection)
        var digests: [SamplePageKey: ContentDigest] = [:]
        for type in types {
            guard let typeID = try references.typeID(type, over: connection) else { continue }
            _ = try connection.rows(
                "SELECT day, origin_id, digest FROM sample_page WHERE type_id = ?", typeID
            ) { row in
                let day = try row.day()
                guard let origin = origins.origins[try row.integer()] else { return }
                digests[SamplePageKey(type: type, origin: origin, day: day)] = try row.digest()
            }
        }
        return digests
    }

    func page(provider: String, at key: SamplePageKey) throws -> PackedPage? {
        try pending.write(over: connection)
        guard let (typeID, originID) = try rowIDs(provider, key) else { return nil }
        return try connection.first(
            """
            SELECT count, sum, first_start_ms, last_end_ms, digest, columns FROM sample_page
            WHERE type_id = ? AND day = ? AND origin_id = ?
            """, typeID, key.day, originID
        ) { try $0.page(at: key) }
    }

    func put(_ page: PackedPage, provider: String, definition: SampleTypeDefinition, longestSample: Int64) throws {
        try checkFinite(page)
        let typeID = try references.typeID(definition, longest: longestSample, over: connection)
        let originID = try references.requireOriginID(page.key.origin, provider: provider, over: connection)
        if notesChanges {
            try pending.write(over: connection)
            try ChangedPageRows.note(type: typeID, day: page.key.day, origin: originID, over: connection)
        }
        try pending.add(page, type: typeID, origin: originID, over: connection)
    }

    func remove(provider: String, at key: SamplePageKey) throws {
        try pending.write(over: connection)
        guard let (typeID, originID) = try rowIDs(provider, key) else { return }
        if notesChanges { try ChangedPageRows.note(type: typeID, day: key.day, origin: originID, over: connection) }
        try connection.execute(
            "DELETE FROM sample_page WHERE type_id = ? AND day = ? AND origin_id = ?", typeID, key.day, originID)
    }

    func tombstones(provider: String, at key: SamplePageKey) throws -> (page: PackedPage, exportDate: Instant)? {
        guard let (typeID, originID) = try rowIDs(provider, key) else { return nil }
        return try connection.first(
            """
            SELECT count, sum, first_start_ms, last_end_ms, digest, columns, export_date_ms FROM sample_tombstone
            WHERE type_id = ? AND day = ? AND origin_id = ?
            """, typeID, key.day, originID
        ) { row in (page: try row.page(at: key), exportDate: try row.instant()) }
    }

    func setTombstones(
        _ page: PackedPage?, provider: String, at key: SamplePageKey, exportDate: Instant
    ) throws {
        guard let typeID = try references.typeID(key.type, over: connection) else {
            guard page != nil else { return }
            throw neverHadAPage("deleted samples", key.type)
        }
        let originID = try references.requireOriginID(key.origin, provider: provider, over: connection)
        guard let page else {
            return try connection.execute(
                "DELETE FROM sample_tombstone WHERE type_id = ? AND day = ? AND origin_id = ?", typeID, key.day,
                originID)
        }
        try checkFinite(page)
        try connection.execute(
            """
            INSERT INTO sample_tombstone
                (type_id, day, origin_id, count, sum, first_start_ms, last_end_ms, digest, columns, export_date_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (type_id, day, origin_id) DO UPDATE SET count = excluded.count, sum = excluded.sum,
                first_start_ms = excluded.first_start_ms, last_end_ms = excluded.last_end_ms,
                digest = excluded.digest, columns = excluded.columns, export_date_ms = excluded.export_date_ms
            """, typeID, key.day, originID, page.summary.count, page.summary.sum, page.summary.firstStart,
            page.summary.lastEnd, page.digest, SQLiteValue.blob(page.bytes), exportDate)
    }

    func tombstoneKeys(provider: String) throws -> Set<SamplePageKey> {
        let origins = try OriginTable(provider: provider, over: connection)
        let keys = try connection.rows(
            """
            SELECT identifier, day, origin_id FROM sample_tombstone JOIN sample_type ON sample_type.id = type_id
            """
        ) { row in (type: SampleType(rawValue: try row.text()), day: try row.day(), origin: try row.integer()) }
        return Set(
            keys.compactMap { key in
                origins.origins[key.origin].map { SamplePageKey(type: key.type, origin: $0, day: key.day) }
            })
    }

    func snapshotDates(provider: String) throws -> [Int: SnapshotDates] {
        try SnapshotDateRows.dates(of: provider, over: connection)
    }

    func setSnapshotDates(_ dates: SnapshotDates, provider: String, lineage: Int) throws {
        try SnapshotDateRows.set(dates, of: provider, lineage: lineage, over: connection)
    }

    func lineageDigests(provider: String) throws -> [SamplePageKey: [Int: ContentDigest]] {
        try LineagePageRows.digests(of: provider, over: connection)
    }

    func lineagePages(provider: String, at key: SamplePageKey) throws -> [Int: PackedPage] {
        guard let (typeID, originID) = try rowIDs(provider, key) else { return [:] }
        return try LineagePageRows.pages(at: key, type: typeID, origin: originID, over: connection)
    }

    func setLineagePage(_ page: PackedPage?, provider: String, at key: SamplePageKey, lineage: Int) throws {
        guard let (typeID, originID) = try rowIDs(provider, key) else {
            guard page != nil else { return }
            throw neverHadAPage("samples of an export", key.type)
        }
        guard let page else {
            return try LineagePageRows.remove(
                at: key, lineage: lineage, type: typeID, origin: originID, over: connection)
        }
        try checkFinite(page)
        try LineagePageRows.set(page, lineage: lineage, type: typeID, origin: originID, over: connection)
    }

    func hasDeletedRows(provider: String) throws -> Bool { try DeletedRows.exist(of: provider, over: connection) }

    func deletedRow(provider: String, externalID: String) throws -> DeletedRow? {
        try DeletedRows.row(of: provider, externalID: externalID, over: connection)
    }

    func putDeletedRow(_ row: DeletedRow) throws {
        let origin = try row.content.map {
            try references.requireOriginID($0.key.origin, provider: row.provider, over: connection)
        }
        if let key = row.content?.key, let origin, let type = try references.typeID(key.type, over: connection) {
            try ChangedPageRows.note(type: type, day: key.day, origin: origin, over: connection)
        }
        try DeletedRows.put(row, originID: origin, over: connection)
    }

    func removeDeletedRow(provider: String, externalID: String) throws {
        if let content = try deletedRow(provider: provider, externalID: externalID)?.content,
            let (type, origin) = try rowIDs(provider, content.key)
        {
            try ChangedPageRows.note(type: type, day: content.key.day, origin: origin, over: connection)
        }
        try DeletedRows.remove(provider: provider, externalID: externalID, over: connection)
    }

    func remember(_ source: ImportedSource, isComplete: Bool) throws {
        try connection.execute(
            """
            INSERT OR REPLACE INTO ingested_source
                (path, provider, content, selection, export_date_ms, ingested_at_ms, is_complete)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, source.fingerprint.path, source.provider, source.fingerprint.content, source.selection,
            source.exportDate, source.importedAt, isComplete)
    }

    private func rowIDs(_ provider: String, _ key: SamplePageKey) throws -> (type: Int64, origin: Int64)? {
        guard let type = try references.typeID(key.type, over: connection),
            let origin = try references.originID(key.origin, provider: provider, over: connection)
        else { return nil }
        return (type, origin)
    }

    private func neverHadAPage(_ what: String, _ type: SampleType) -> SyncFailure {
        SyncFailure(
            .storage, subject: connection.path,
            reason: "cannot store \(what) of \(type.rawValue), which never had a page",
            advice: "report this as a bug")
    }

    private func checkFinite(_ page: PackedPage) throws {
        guard page.summary.sum.isFinite else {
            throw SQLiteFailure.notFinite("a page of \(page.key.type.rawValue)", path: connection.path)
        }
    }
}

extension SQLitePageTransaction {
    func knownWindows(provider: String) throws -> [KnownWindow] {
        try WindowRows.known(of: provider, over: connection)
    }

    func putKnownWindow(_ window: KnownWindow, provider: String) throws {
        try WindowRows.put(window, of: provider, over: connection)
    }

    func removeKnownWindows(provider: String, before version: Int64) throws {
        try connection.execute("DELETE FROM complete_window WHERE provider = ? AND version < ?", provider, version)
    }

    func windowParts(provider: String) throws -> [WindowPart] { try WindowRows.parts(of: provider, over: connection) }

    func putWindowPart(_ part: WindowPart, provider: String) throws {
        try WindowRows.put(part, of: provider, over: connection)
    }

    func removeWindowParts(provider: String, start: Instant, end: Instant, upTo version: Int64) throws {
        try connection.execute(
            "DELETE FROM window_part WHERE provider = ? AND start_ms = ? AND end_ms = ? AND version <= ?", provider,
            start, end, version)
    }

    func feedWindows() throws -> [FeedWindow] { try FeedRows.windows(over: connection) }

    func putFeedWindow(_ window: FeedWindow) throws { try FeedRows.put(window, over: connection) }

    func pages(of type: SampleType, utcDays days: DayRange) throws -> [PackedPage] {
        try pending.write(over: connection)
        return try SQLiteSamplePageStore.pages(of: [type], utcDays: days, over: connection)
    }

    func deletedRows(of type: SampleType, utcDays days: DayRange) throws -> [DeletedRow] {
        try DeletedRows.rows(of: [type], days: days, over: connection)
    }

    func setUnsentSamples(_ counts: [CalendarDay: Int], of type: SampleType, utcDay: CalendarDay) throws {
        try FeedRows.setUnsent(counts, of: type, utcDay: utcDay, over: connection)
    }
}

/// Pages of a transaction that wait to be written, so that several are written by one statement.
private final class PendingPages {
    private var rows: [[any SQLiteBindable]] = []

    /// Adds a page, and writes all of them once a statement is full.
    func add(_ page: PackedPage, type: Int64, origin: Int64, over connection: SQLiteConnection) throws {
        rows.append([
            type, page.key.day, origin, page.summary.count, page.summary.sum, page.summary.firstStart,
            page.summary.lastEnd, page.digest, SQLiteValue.blob(page.bytes),
        ])
        if rows.count == SQLiteConnection.rowsOfStatement { try write(over: connection) }
    }

    /// Writes the pages.
    func write(over connection: SQLiteConnection) throws {
        guard !rows.isEmpty else { return }
        defer { rows.removeAll(keepingCapacity: true) }
        try connection.insert(
            """
            INSERT INTO sample_page
                (type_id, day, origin_id, count, sum, first_start_ms, last_end_ms, digest, columns)
            """, rows: rows,
            """
            ON CONFLICT (type_id, day, origin_id) DO UPDATE SET count = excluded.count, sum = excluded.sum,
                first_start_ms = excluded.first_start_ms, last_end_ms = excluded.last_end_ms,
                digest = excluded.digest, columns = excluded.columns
            """)
    }
}

/// Rows of `snapshot_line`. The identifier `*`, which is no type's name, means every type.
private enum SnapshotDateRows {
    private static let every = "*"

    static func dates(of provider: String, over connection: SQLiteConnection) throws -> [Int: SnapshotDates] {
        let rows = try connection.rows(
            "SELECT line, identifier, latest_export_date_ms FROM snapshot_line WHERE provider = ?", provider
        ) { row in (lineage: try row.int(), identifier: try row.text(), date: try row.instant()) }
        var dates: [Int: SnapshotDates] = [:]
        for row in rows {
            if row.identifier == every {
                dates[row.lineage, default: SnapshotDates()].all = row.date
            } else {
                dates[row.lineage, default: SnapshotDates()].chosen[SampleType(rawValue: row.identifier)] = row.date
            }
        }
        return dates
    }

    static func set(
        _ dates: SnapshotDates, of provider: String, lineage: Int, over connection: SQLiteConnection
    ) throws {
        try connection.execute("DELETE FROM snapshot_line WHERE provider = ? AND line = ?", provider, lineage)
        var rows = dates.chosen.map { (identifier: $0.key.rawValue, date: $0.value) }
        if let all = dates.all { rows.append((every, all)) }
        for row in rows {
            try connection.execute(
                "INSERT INTO snapshot_line (provider, line, identifier, latest_export_date_ms) VALUES (?, ?, ?, ?)",
                provider, lineage, row.identifier, row.date)
        }
    }
}

/// Rows of `complete_window` and `window_part`: the complete windows of change streams, and parts of windows.
private enum WindowRows {
    static func known(of provider: String, over connection: SQLiteConnection) throws -> [KnownWindow] {
        try connection.rows(
            """
            SELECT type, start_ms, end_ms, version FROM complete_window WHERE provider = ?
            ORDER BY type, start_ms, end_ms
            """, provider
        ) { row in
            KnownWindow(
                type: SampleType(rawValue: try row.text()), start: try row.instant(), end: try row.instant(),
                version: try row.integer())
        }
    }

    static func put(_ window: KnownWindow, of provider: String, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            DELETE FROM complete_window
            WHERE provider = ? AND type = ? AND start_ms >= ? AND end_ms <= ? AND version <= ?
            """, provider, window.type.rawValue, window.start, window.end, window.version)
        try connection.execute(
            "INSERT OR REPLACE INTO complete_window (provider, type, start_ms, end_ms, version) VALUES (?, ?, ?, ?, ?)",
            provider, window.type.rawValue, window.start, window.end, window.version)
    }

    static func parts(of provider: String, over connection: SQLiteConnection) throws -> [WindowPart] {
        try connection.rows(
            """
            SELECT start_ms, end_ms, version, date_ms, is_last, lists FROM window_part WHERE provider = ?
            ORDER BY start_ms, end_ms, version
            """, provider
        ) { row in
            var part = WindowPart(
                start: try row.instant(), end: try row.instant(), version: try row.integer(), date: try row.instant(),
                isLast: try row.bool(), lists: [])
            let text = try row.text()
            do { part.lists = try JSONDecoder().decode([WindowPart.List].self, from: Data(text.utf8)) } catch {
                throw SQLiteFailure.damaged(connection.path, "the database contains an invalid part of a window")
            }
            return part
        }
    }

    static func put(_ part: WindowPart, of provider: String, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            INSERT OR REPLACE INTO window_part (provider, start_ms, end_ms, version, date_ms, is_last, lists)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, provider, part.start, part.end, part.version, part.date, part.isLast,
            String(decoding: try JSONEncoder().encode(part.lists), as: UTF8.self))
    }
}
