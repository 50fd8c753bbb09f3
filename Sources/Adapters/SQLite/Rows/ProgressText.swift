import HealthSyncDomain

/// The JSON texts of `daily_progress`: `hours` and `origins`.
enum ProgressText {
    /// Returns `[{"start":ms,"quantity":n,"minimum":n,"maximum":n,"count":n,"held_ms":n},…]`; absent members are
    /// omitted.
    static func hours(_ hours: [HourProgress]) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + hours.count * 48)
        json.array(hours) { json, hour in
            json.raw("{\"start\":")
            json.number(hour.start.milliseconds)
            json.raw(",\"quantity\":")
            json.number(hour.figures.quantity)
            if let minimum = hour.figures.minimum {
                json.raw(",\"minimum\":")
                json.number(minimum)
            }
            if let maximum = hour.figures.maximum {
                json.raw(",\"maximum\":")
                json.number(maximum)
            }
            if let count = hour.figures.count {
                json.raw(",\"count\":")
                json.number(Int64(count))
            }
            if let held = hour.figures.heldMilliseconds {
                json.raw(",\"held_ms\":")
                json.number(held)
            }
            json.raw("}")
        }
        return json.bytes
    }

    static func hours(from text: [UInt8]) throws(UnexpectedJSON) -> [HourProgress] {
        var reader = JSONByteReader(text)
        let hours = try reader.array { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"start\":")
            let start = Instant(milliseconds: try reader.integer())
            try reader.expect(",\"quantity\":")
            var figures = ProgressFigures(quantity: try reader.number())
            if reader.skip(",\"minimum\":") { figures.minimum = try reader.number() }
            if reader.skip(",\"maximum\":") { figures.maximum = try reader.number() }
            if reader.skip(",\"count\":") { figures.count = Int(try reader.integer()) }
            if reader.skip(",\"held_ms\":") { figures.heldMilliseconds = try reader.integer() }
            try reader.expect("}")
            return HourProgress(start: start, figures: figures)
        }
        guard reader.isAtEnd else { throw UnexpectedJSON() }
        return hours
    }

    /// Returns `[{"source":"…","quantity":n},…]`.
    static func origins(_ origins: [OriginProgress]) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + origins.count * 48)
        json.array(origins) { json, origin in
            json.raw("{\"source\":")
            json.string(origin.sourceName)
            json.raw(",\"quantity\":")
            json.number(origin.quantity)
            json.raw("}")
        }
        return json.bytes
    }

    static func origins(from text: [UInt8]) throws(UnexpectedJSON) -> [OriginProgress] {
        var reader = JSONByteReader(text)
        let origins = try reader.array { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"source\":")
            let name = try reader.string()
            try reader.expect(",\"quantity\":")
            let quantity = try reader.number()
            try reader.expect("}")
            return OriginProgress(sourceName: name, quantity: quantity)
        }
        guard reader.isAtEnd else { throw UnexpectedJSON() }
        return origins
    }
}
