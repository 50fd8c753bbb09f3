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

/// The single row of `counted_days`. `stays` is `[{"from":"2023-07-01","zone":"Asia/Tokyo"},…]`.
enum StoredDayZonesRow {
    static func store(_ counted: StoredDayZones, over connection: SQLiteConnection) throws {
        var stays = JSONBytes(reserving: 2 + counted.zones.stays.count * 48)
        stays.array(counted.zones.stays) { json, stay in
            json.raw("{\"from\":")
            json.string("\(stay.firstDay)")
            json.raw(",\"zone\":")
            json.string(stay.zone)
            json.raw("}")
        }
        try connection.execute(
            "INSERT OR REPLACE INTO counted_days (id, home_zone, stays, is_whole) VALUES (1, ?, ?, ?)",
            counted.zones.home, String(decoding: stays.bytes, as: UTF8.self), counted.isWhole ? 1 : 0)
    }

    static func read(over connection: SQLiteConnection) throws -> StoredDayZones? {
        try connection.first("SELECT home_zone, stays, is_whole FROM counted_days") { row in
            let home = try row.text()
            let stays: [DayZones.Stay]
            do {
                stays = try Self.stays(from: try row.utf8())
            } catch is UnexpectedJSON {
                throw SQLiteFailure.damaged(connection.path, "the zones of the days cannot be read")
            }
            return StoredDayZones(zones: DayZones(home: home, stays: stays), isWhole: try row.bool())
        }
    }

    private static func stays(from text: [UInt8]) throws(UnexpectedJSON) -> [DayZones.Stay] {
        try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"from\":")
            guard let day = CalendarDay(try reader.string()) else { throw UnexpectedJSON() }
            try reader.expect(",\"zone\":")
            let zone = try reader.string()
            try reader.expect("}")
            return DayZones.Stay(firstDay: day, zone: zone)
        }
    }
}
