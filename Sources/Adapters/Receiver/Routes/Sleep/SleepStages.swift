import HealthSyncDomain

/// The stages of a session, or, where only sums are known, its minutes by stage.
struct SleepStages {
    private(set) var intervals: [SleepStageInterval] = []
    /// The list as it is kept, canonical.
    private(set) var json: [UInt8] = Array("[]".utf8)
    private var sums: SleepDurations?

    init(of members: MemberReader) throws(RejectedRecord) {
        if let list = members.element["stages"], !list.isNull {
            guard list.isArray else { throw members.refused("stages must be a list") }
            try take(list, of: members)
        }
        if intervals.isEmpty, let minutes = members.element["stage_minutes"], minutes.isObject {
            sums = try Self.sums(MemberReader(element: minutes, id: members.id))
        }
    }

    /// The time of each kind in the session.
    func figures(within interval: InstantRange) -> SleepDurations {
        sums?.limited(to: interval) ?? SleepDurations(of: intervals, within: interval)
    }

    private mutating func take(_ list: JSONValue, of members: MemberReader) throws(RejectedRecord) {
        var writer = JSONWriter(reserving: 1024)
        writer.beginArray()
        var fault: RejectedRecord?
        list.forEachElement { element in
            guard fault == nil else { return }
            do throws(RejectedRecord) {
                guard intervals.count < 5_000 else { throw members.refused("more than 5000 stages") }
                intervals.append(try Self.stage(MemberReader(element: element, id: members.id), to: &writer))
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
        writer.endArray()
        json = writer.bytes
    }

    private static func stage(
        _ members: MemberReader, to writer: inout JSONWriter
    ) throws(RejectedRecord) -> SleepStageInterval {
        guard members.element.isObject else { throw members.refused("each of stages must be an object") }
        guard let stage = SleepStage(rawValue: try members.string("stage")) else {
            throw members.refused("stage must be one of in_bed, asleep, awake, core, deep, rem")
        }
        let start = try members.time("start_time")
        let end = try members.time("end_time")
        guard start.instant <= end.instant else {
            throw members.refused("end_time of a stage is before its start_time")
        }
        writer.beginObject()
        writer.name("stage")
        writer.string(stage.rawValue)
        writer.name("start_time")
        writer.string(start.text)
        writer.name("end_time")
        writer.string(end.text)
        writer.endObject()
        return SleepStageInterval(stage: stage, interval: InstantRange(start: start.instant, end: end.instant))
    }

    private static func sums(_ members: MemberReader) throws(RejectedRecord) -> SleepDurations {
        func milliseconds(_ name: StaticString) throws(RejectedRecord) -> Int64 {
            let minutes = try members.optionalNumber(name, atLeast: 0) ?? 0
            guard minutes <= 100_000 else { throw members.refused("\(name) is more than 100000 minutes") }
            return Int64((minutes * 60_000).rounded())
        }
        var sums = SleepDurations()
        sums.awake = try milliseconds("awake")
        sums.core = try milliseconds("core")
        sums.deep = try milliseconds("deep")
        sums.rem = try milliseconds("rem")
        sums.unspecified = try milliseconds("asleep")
        return sums
    }
}
