import HealthSyncDomain

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
    init?(of members: MemberReader) throws(RejectedRecord) {
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
    ) throws(RejectedRecord) -> [(start: String, end: String)] {
        guard let list = counted.element["stretches"], !list.isNull else { return [] }
        guard list.isArray else { throw counted.rejection("stretches must be an array") }
        var stretches: [(start: String, end: String)] = []
        var rejection: RejectedRecord?
        list.forEachElement { element in
            guard rejection == nil else { return }
            do throws(RejectedRecord) {
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
