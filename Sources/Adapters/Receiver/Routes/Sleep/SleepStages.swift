import HealthSyncDomain

/// The stages of a session, or its minutes by stage if only these are known.
struct SleepStages {
    private(set) var intervals: [SleepStageInterval] = []
    /// The array as it is stored, in canonical JSON.
    private(set) var json: [UInt8] = Array("[]".utf8)
    private var sums: SleepDurations?

    init(of members: MemberReader) throws(RejectedRecord) {
        if let list = members.element["stages"], !list.isNull {
            guard list.isArray else { throw members.rejection("stages must be an array") }
            try read(list, of: members)
        }
        if intervals.isEmpty, let minutes = members.element["stage_minutes"], minutes.isObject {
            sums = try Self.sums(MemberReader(element: minutes, id: members.id))
        }
    }

    /// Returns the time in each stage, limited to the session.
    func figures(within interval: InstantRange) -> SleepDurations {
        sums?.limited(to: interval) ?? SleepDurations(of: intervals, within: interval)
    }

    private mutating func read(_ list: JSONValue, of members: MemberReader) throws(RejectedRecord) {
        var writer = JSONWriter(reserving: 1024)
        writer.beginArray()
        var rejection: RejectedRecord?
        list.forEachElement { element in
            guard rejection == nil else { return }
            do throws(RejectedRecord) {
                guard intervals.count < 5_000 else { throw members.rejection("stages must have at most 5000 elements") }
                intervals.append(try Self.stage(MemberReader(element: element, id: members.id), to: &writer))
            } catch {
                rejection = error
            }
        }
        if let rejection { throw rejection }
        writer.endArray()
        json = writer.bytes
    }

    private static func stage(
        _ members: MemberReader, to writer: inout JSONWriter
    ) throws(RejectedRecord) -> SleepStageInterval {
        guard members.element.isObject else { throw members.rejection("each element of stages must be an object") }
        guard let stage = SleepStage(rawValue: try members.string("stage")) else {
            throw members.rejection("stage must be one of in_bed, asleep, awake, core, deep, rem")
        }
        let start = try members.time("start_time")
        let end = try members.time("end_time")
        guard start.instant <= end.instant else {
            throw members.rejection("end_time of a stage is before its start_time")
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
            guard minutes <= 100_000 else { throw members.rejection("\(name) must be at most 100000 minutes") }
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
