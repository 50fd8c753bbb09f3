import HealthSyncDomain

/// A session of a shoe.
struct ShoeSessionView: JSONEncodable {
    let session: ShoeSession
    let names: ShoeNames
    let clock: DayClock

    /// Start and end of the session.
    var period: String {
        guard session.end != nil else { return "since \(Figures.wallClock(session.start, clock))" }
        return Self.text(of: session.interval, clock)
    }

    /// Returns a range as `2024-01-15 08:00 to 09:30`, with the second day if it differs, and with offsets if they differ.
    static func text(of range: InstantRange, _ clock: DayClock) -> String {
        let ends = [range.start, range.end]
        let isSameDay = clock.day(of: range.start) == clock.day(of: range.end)
        let hasChange = clock.offsetSeconds(at: range.start) != clock.offsetSeconds(at: range.end)
        return ends.map { instant in
            let text = Figures.wallClock(instant, clock, showsOffset: hasChange)
            return instant == range.end && isSameDay ? String(text.dropFirst(11)) : text
        }.joined(separator: " to ")
    }

    /// Whether the session started or ended automatically.
    var remark: String {
        switch (session.isAutoStarted, session.isAutoClosed) {
        case (true, true): "automatic"
        case (true, false): "started automatically"
        case (false, true): "ended automatically"
        case (false, false): ""
        }
    }

    var line: String { "\(names.label(session.shoe)): \(period)" }

    var json: JSONValue {
        .joined(
            ["id": ShoeNames.text(session.id)], names.members(session.shoe),
            .range(session.start, session.end, clock),
            ["autoStarted": session.isAutoStarted, "autoClosed": session.isAutoClosed])
    }
}
