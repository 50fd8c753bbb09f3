import HealthSyncDomain

/// Reads sleep sessions and computes their figures from the stages.
enum SleepReader {
    /// The names of the figures, in the order of `SleepDurations.sentFigures`.
    static let figureNames: [StaticString] = [
        "time_in_bed_minutes", "total_sleep_minutes", "awake_minutes", "rem_minutes", "core_minutes", "deep_minutes",
        "sleep_efficiency_percentage",
    ]

    static func read(_ element: ParsedJSON) throws(InvalidRecord) -> ReceivedRecord {
        var members = MemberReader(element: element)
        let stated = try members.optionalString("source_id", atMost: 256)
        members.id = stated ?? ""
        let start = try members.time("start_time")
        let end = try members.time("end_time")
        guard start.instant <= end.instant else { throw members.rejection("end_time is before start_time") }
        let source = try members.optionalString("source")
        // Older clients omit the id. Sessions of one source with the same start are then the same session.
        if members.id.isEmpty { members.id = "\(source ?? "")@\(RFC3339.string(start.instant))" }
        let revision = try members.revision()
        let stages = try SleepStages(of: members)
        let place = try SleepPlace(of: members)
        let figures = stages.figures(within: InstantRange(start: start.instant, end: end.instant))
        var writer = JSONWriter(reserving: 512 + 128 * stages.intervals.count)
        writer.beginObject()
        writer.name("start_time")
        writer.string(start.text)
        writer.name("end_time")
        writer.string(end.text)
        for (name, value) in zip(figureNames, figures.sentFigures) {
            writer.name(name)
            writer.number(value)
        }
        writer.name("source")
        writer.string(source)
        writer.name("source_id")
        writer.string(members.id)
        writer.name("notes")
        writer.string(try members.optionalString("notes", atMost: 10_000))
        writer.name("revision")
        writer.integer(revision)
        writer.name("stages")
        writer.raw(stages.json)
        place?.write(to: &writer)
        writer.endObject()
        return ReceivedRecord(
            id: members.id, revision: revision, day: place?.day ?? MemberReader.wallDay(of: start),
            start: start.instant,
            body: writer.bytes)
    }
}

/// The stages of a session, or its minutes by stage if only these are known.
private struct SleepStages {
    private(set) var intervals: [SleepStageInterval] = []
    /// The array as it is stored, in canonical JSON.
    private(set) var json: [UInt8] = Array("[]".utf8)
    private var sums: SleepDurations?

    init(of members: MemberReader) throws(InvalidRecord) {
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

    private mutating func read(_ list: ParsedJSON, of members: MemberReader) throws(InvalidRecord) {
        var writer = JSONWriter(reserving: 1024)
        writer.beginArray()
        var rejection: InvalidRecord?
        list.forEachElement { element in
            guard rejection == nil else { return }
            do throws(InvalidRecord) {
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
    ) throws(InvalidRecord) -> SleepStageInterval {
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

    private static func sums(_ members: MemberReader) throws(InvalidRecord) -> SleepDurations {
        func milliseconds(_ name: StaticString) throws(InvalidRecord) -> Int64 {
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

/// What a session is a part of, as its sender states it: the day, the night, the role, and what counts of the session.
struct SleepPlace {
    let day: CalendarDay
    private let nightID: String
    private let role: SleepSession.Role
    private let share: SleepShare?
    private let stretches: [(start: String, end: String)]

    /// The figures of `counted`, in the order of `SleepDurations.sentFigures`.
    static let figureNames: [StaticString] = [
        "time_in_bed_minutes", "asleep_minutes", "awake_minutes", "rem_minutes", "core_minutes", "deep_minutes",
    ]
    /// More than any session has.
    private static let mostStretches = 1_000
    private static let mostMinutes = 100_000.0

    /// Reads the place of a session; `nil` if its sender states none.
    init?(of members: MemberReader) throws(InvalidRecord) {
        let night = try members.optionalTime("night_id")
        guard let day = try members.optionalDay("day") else {
            guard night == nil else { throw members.rejection("day is missing") }
            return nil
        }
        guard let night else { throw members.rejection("night_id is missing") }
        guard let role = SleepSession.Role(rawValue: try members.string("role")) else {
            throw members.rejection("role must be one of main, nap, additional")
        }
        self.day = day
        self.role = role
        nightID = night.text
        guard let counted = members.element["counted"], !counted.isNull else {
            (share, stretches) = (nil, [])
            return
        }
        guard counted.isObject else { throw members.rejection("counted must be an object") }
        let reader = MemberReader(element: counted, id: members.id)
        stretches = try Self.stretches(of: reader)
        var minutes: [Double] = []
        for name in Self.figureNames {
            let value = try reader.optionalNumber(name, atLeast: 0) ?? 0
            guard value <= Self.mostMinutes else { throw members.rejection("\(name) must be at most 100000 minutes") }
            minutes.append(value)
        }
        share = SleepShare(stretches: [], durations: Self.durations(minutes))
    }

    private static func durations(_ minutes: [Double]) -> SleepDurations {
        let lengths = minutes.map { Int64(($0 * 60_000).rounded()) }
        var durations = SleepDurations()
        durations.inBed = lengths[0]
        durations.asleep = lengths[1]
        durations.awake = lengths[2]
        durations.rem = lengths[3]
        durations.core = lengths[4]
        durations.deep = lengths[5]
        durations.unspecified = max(0, lengths[1] - lengths[3] - lengths[4] - lengths[5])
        return durations
    }

    private static func stretches(
        of counted: MemberReader
    ) throws(InvalidRecord) -> [(start: String, end: String)] {
        guard let list = counted.element["stretches"], !list.isNull else { return [] }
        guard list.isArray else { throw counted.rejection("stretches must be an array") }
        var stretches: [(start: String, end: String)] = []
        var rejection: InvalidRecord?
        list.forEachElement { element in
            guard rejection == nil else { return }
            do throws(InvalidRecord) {
                let members = MemberReader(element: element, id: counted.id)
                guard element.isObject else { throw members.rejection("each of stretches must be an object") }
                guard stretches.count < mostStretches else {
                    throw members.rejection("stretches must have at most \(mostStretches) elements")
                }
                let (start, end) = (try members.time("start_time"), try members.time("end_time"))
                guard start.instant <= end.instant else {
                    throw members.rejection("end_time of a stretch is before its start_time")
                }
                stretches.append((start.text, end.text))
            } catch {
                rejection = error
            }
        }
        if let rejection { throw rejection }
        return stretches
    }

    /// Writes the members as they are stored.
    func write(to writer: inout JSONWriter) {
        writer.name("day")
        writer.string(day.description)
        writer.name("night_id")
        writer.string(nightID)
        writer.name("role")
        writer.string(role.rawValue)
        writer.name("counted")
        guard let share else {
            writer.null()
            return
        }
        writer.beginObject()
        for (name, value) in zip(Self.figureNames, share.durations.sentFigures) {
            writer.name(name)
            writer.number(value)
        }
        writer.name("stretches")
        writer.beginArray()
        for stretch in stretches {
            writer.beginObject()
            writer.name("start_time")
            writer.string(stretch.start)
            writer.name("end_time")
            writer.string(stretch.end)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}
