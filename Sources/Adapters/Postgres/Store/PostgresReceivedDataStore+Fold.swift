package import HealthSyncDomain

extension PostgresReceivedDataStore {
    package func fold<Result: Sendable>(
        _ scan: RecordScan, into initial: Result,
        _ body: @escaping @Sendable (inout Result, ReceivedRecord) throws -> Void
    ) async throws -> Result {
        try await readers.perform { session in
            var result = initial
            guard let userRow = try session.rows.knownRow(of: scan.user) else { return result }
            try session.connection.stream(Self.command(scan, userRow: userRow)) { row in
                try body(&result, try Self.record(&row, isDeleted: scan.isOfTombstones))
            }
            return result
        }
    }

    private static func command(_ scan: RecordScan, userRow: Int32) -> PostgresCommand {
        var text = """
            SELECT id, revision, type, granularity, day, start_ms, body FROM records
            WHERE user_id = $1 AND kind = $2 AND \(scan.isOfTombstones ? "is_deleted" : "NOT is_deleted")
            """
        var parameters: [PostgresParameter] = [.int4(userRow), .text(scan.kind.rawValue)]
        func add(_ condition: String, _ parameter: PostgresParameter?) {
            guard let parameter else { return }
            parameters.append(parameter)
            text += "\(condition) $\(parameters.count)"
        }
        if scan.isOfTombstones {
            add(" AND day =", .date(ReceivedRecord.tombstone("", revision: 0).day))
        } else {
            add(" AND day >=", scan.from.map { .date($0) })
            add(" AND day <=", scan.through.map { .date($0) })
        }
        if let page = scan.page {
            add(" AND id >", .text(page.after))
            add(" ORDER BY id LIMIT", .int8(page.limit))
        }
        return PostgresCommand(text, parameters)
    }

    private static func record(_ row: inout PostgresRow, isDeleted: Bool) throws -> ReceivedRecord {
        if isDeleted { return .tombstone(try row.text(), revision: try row.integer()) }
        return ReceivedRecord(
            id: try row.text(), revision: try row.integer(), type: try row.text(), granularity: try row.text(),
            day: try row.day(), start: try row.instant(), body: try row.bytes())
    }
}
