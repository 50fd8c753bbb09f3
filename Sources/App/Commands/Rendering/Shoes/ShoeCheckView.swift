import HealthSyncDomain

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
