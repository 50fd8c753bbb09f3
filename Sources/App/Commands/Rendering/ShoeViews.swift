import Foundation
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

/// The names of shoes.
struct ShoeNames {
    private let shoes: [Shoe.ID: Shoe]

    init(_ shoes: [Shoe]) {
        self.shoes = Dictionary(shoes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns emoji, brand and model: `👟 Salomon Speedcross 6`.
    func label(_ id: Shoe.ID) -> String { shoes[id].map(Self.label) ?? Self.shortID(id) }

    /// Returns emoji, brand and model: `👟 Salomon Speedcross 6`.
    static func label(_ shoe: Shoe) -> String {
        UntrustedText.escaped(shoe.label)
    }

    /// Returns the beginning of an id, as `ShoeChoice` accepts it.
    static func shortID(_ id: Shoe.ID) -> String { String(text(id).prefix(8)) }

    /// Returns the id of a shoe or session in lower case.
    static func text(_ id: UUID) -> String { UUIDText.text(id) }

    /// Returns `shoe` (the id) and `name`.
    func members(_ id: Shoe.ID) -> JSONValue {
        ["shoe": Self.text(id), "name": shoes[id]?.name]
    }
}

extension JSONValue {
    /// Returns `steps` and `walkingDistanceKilometres`; null if not measured.
    static func walk(_ figures: WalkFigures) -> JSONValue {
        ["steps": figures.steps, "walkingDistanceKilometres": figures.kilometres?.asFigure]
    }

    /// Returns an instant in local time; null for `nil`.
    static func local(_ instant: Instant?, _ clock: DayClock) -> JSONValue {
        instant.map { Figures.local($0, clock) }.json
    }

    /// Returns `start` and `end`, in local time; null for `nil`.
    static func range(_ start: Instant, _ end: Instant?, _ clock: DayClock) -> JSONValue {
        ["start": local(start, clock), "end": local(end, clock)]
    }
}

/// The sessions that the shoe rules changed.
struct ShoeCheckView: JSONEncodable {
    let report: ShoeCheckReport
    let names: ShoeNames
    let clock: DayClock

    /// A line for each changed session.
    var lines: [String] {
        parts.flatMap { part in
            part.sessions.map { session in
                let view = ShoeSessionView(session: session, names: names, clock: clock)
                return "shoe session \(part.text): \(view.line)"
            }
        }
    }

    var json: JSONValue {
        .object(
            of: parts.map { part in
                (key: part.name, value: part.sessions.map { ShoeSessionView(session: $0, names: names, clock: clock) })
            })
    }

    private var parts: [(name: String, text: String, sessions: [ShoeSession])] {
        [
            ("started", "started automatically", report.started), ("closed", "ended automatically", report.closed),
            ("moved", "moved to newer steps", report.moved),
            ("removed", "removed", report.removed),
        ]
    }
}
