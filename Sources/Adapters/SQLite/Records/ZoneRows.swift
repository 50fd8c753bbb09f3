import HealthSyncDomain

/// Rows of `zone_rules` and `zone_evidence`.
enum ZoneRows {
    static func rules(over connection: SQLiteConnection) throws -> [String: ContentDigest] {
        let rows = try connection.rows("SELECT zone, digest FROM zone_rules") { row in
            (try row.text(), try row.digest())
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    static func store(_ rules: [String: ContentDigest], over connection: SQLiteConnection) throws {
        for (zone, digest) in rules {
            try connection.execute("INSERT OR REPLACE INTO zone_rules (zone, digest) VALUES (?, ?)", zone, digest)
        }
    }

    static func evidence(over connection: SQLiteConnection) throws -> [ZoneEvidence] {
        let rows = try connection.rows(
            "SELECT provider, instant_ms, offset_s FROM zone_evidence ORDER BY provider, instant_ms"
        ) { row in
            (
                provider: try row.text(),
                offset: StatedOffset(instant: try row.instant(), seconds: try row.integer())
            )
        }
        var evidence: [ZoneEvidence] = []
        for row in rows {
            if evidence.last?.provider != row.provider {
                evidence.append(ZoneEvidence(provider: row.provider, offsets: []))
            }
            evidence[evidence.count - 1].offsets.append(row.offset)
        }
        return evidence
    }

    static func store(_ evidence: ZoneEvidence, over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM zone_evidence WHERE provider = ?", evidence.provider)
        for offset in evidence.offsets {
            try connection.execute(
                "INSERT OR REPLACE INTO zone_evidence (provider, instant_ms, offset_s) VALUES (?, ?, ?)",
                evidence.provider, offset.instant, offset.seconds)
        }
    }
}
