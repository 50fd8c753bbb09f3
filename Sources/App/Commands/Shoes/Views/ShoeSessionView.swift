import HealthSyncDomain

/// One stretch of time in which a shoe was worn.
struct ShoeSessionView {
    let session: ShoeSession
    let names: ShoeNames
    let clock: DayClock

    /// From when to when.
    var stretch: String {
        guard session.end != nil else { return "since \(Figures.wallClock(session.start, clock))" }
        return Self.stretch(session.interval, clock)
    }

    /// `2024-01-15 08:00 to 09:30`, with the second day where it is another, and offsets where the clocks change between.
    static func stretch(_ range: InstantRange, _ clock: DayClock) -> String {
        let ends = [range.start, range.end]
        let isSameDay = clock.day(of: range.start) == clock.day(of: range.end)
        let hasChange = clock.offsetSeconds(at: range.start) != clock.offsetSeconds(at: range.end)
        return ends.map { instant in
            let text = Figures.wallClock(instant, clock, showsOffset: hasChange)
            return instant == range.end && isSameDay ? String(text.dropFirst(11)) : text
        }.joined(separator: " to ")
    }

    /// Who began and ended it, where it was not a person.
    var remark: String {
        switch (session.isAutoStarted, session.isAutoClosed) {
        case (true, true): "by itself"
        case (true, false): "started by itself"
        case (false, true): "ended by itself"
        case (false, false): ""
        }
    }

    var line: String { "\(names.label(session.shoe)): \(stretch)" }

    var json: JSONValue {
        .object(
            [JSONValue.Member(name: "id", value: .string(ShoeNames.text(session.id)))]
                + names.members(session.shoe) + [
                    JSONValue.Member(name: "start", value: .local(session.start, clock)),
                    JSONValue.Member(name: "end", value: .local(session.end, clock)),
                    JSONValue.Member(name: "autoStarted", value: .bool(session.isAutoStarted)),
                    JSONValue.Member(name: "autoClosed", value: .bool(session.isAutoClosed)),
                ])
    }
}
