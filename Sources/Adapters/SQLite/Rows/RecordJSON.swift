import HealthSyncDomain

/// The JSON in columns of records: `hours` and `origins` of `daily_progress`, `stages` and `stretches` of
/// `sleep_session`.
enum RecordJSON {
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
        try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"start\":")
            let start = try reader.instant()
            try reader.expect(",\"quantity\":")
            var figures = ProgressFigures(quantity: try reader.number())
            if reader.skip(",\"minimum\":") { figures.minimum = try reader.number() }
            if reader.skip(",\"maximum\":") { figures.maximum = try reader.number() }
            if reader.skip(",\"count\":") { figures.count = Int(try reader.integer()) }
            if reader.skip(",\"held_ms\":") { figures.heldMilliseconds = try reader.integer() }
            try reader.expect("}")
            return HourProgress(start: start, figures: figures)
        }
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
        try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"source\":")
            let name = try reader.string()
            try reader.expect(",\"quantity\":")
            let quantity = try reader.number()
            try reader.expect("}")
            return OriginProgress(sourceName: name, quantity: quantity)
        }
    }

    /// Returns `[{"start":ms,"end":ms},…]`.
    static func stretches(_ stretches: [InstantRange]) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + stretches.count * 48)
        json.array(stretches) { json, stretch in
            json.raw("{\"start\":")
            json.number(stretch.start.milliseconds)
            json.raw(",\"end\":")
            json.number(stretch.end.milliseconds)
            json.raw("}")
        }
        return json.bytes
    }

    static func stretches(from text: [UInt8]) throws(UnexpectedJSON) -> [InstantRange] {
        try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"start\":")
            let start = try reader.instant()
            try reader.expect(",\"end\":")
            let end = try reader.instant()
            try reader.expect("}")
            return InstantRange(start: start, end: end)
        }
    }

    /// Returns `[{"stage":"core","start":ms,"end":ms},…]`.
    static func stages(_ stages: [SleepStageInterval]) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + stages.count * 64)
        json.array(stages) { json, stage in
            json.raw("{\"stage\":")
            json.string(stage.stage.rawValue)
            json.raw(",\"start\":")
            json.number(stage.interval.start.milliseconds)
            json.raw(",\"end\":")
            json.number(stage.interval.end.milliseconds)
            json.raw("}")
        }
        return json.bytes
    }

    static func stages(from text: [UInt8]) throws(UnexpectedJSON) -> [SleepStageInterval] {
        try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"stage\":")
            guard let stage = SleepStage(rawValue: try reader.string()) else { throw UnexpectedJSON() }
            try reader.expect(",\"start\":")
            let start = try reader.instant()
            try reader.expect(",\"end\":")
            let end = try reader.instant()
            try reader.expect("}")
            return SleepStageInterval(stage: stage, interval: InstantRange(start: start, end: end))
        }
    }
}
