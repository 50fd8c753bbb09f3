import HealthSyncDomain

/// The text of `sleep_session.stages`: `[{"stage":"core","start":ms,"end":ms},…]`.
enum StageText {
    static func text(_ stages: [SleepStageInterval]) -> [UInt8] {
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
        var reader = JSONByteReader(text)
        let stages = try reader.array { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"stage\":")
            guard let stage = SleepStage(rawValue: try reader.string()) else { throw UnexpectedJSON() }
            try reader.expect(",\"start\":")
            let start = Instant(milliseconds: try reader.integer())
            try reader.expect(",\"end\":")
            let end = Instant(milliseconds: try reader.integer())
            try reader.expect("}")
            return SleepStageInterval(stage: stage, interval: InstantRange(start: start, end: end))
        }
        guard reader.isAtEnd else { throw UnexpectedJSON() }
        return stages
    }
}
