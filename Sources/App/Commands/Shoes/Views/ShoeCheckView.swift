import HealthSyncDomain

/// What shoes did by themselves.
struct ShoeCheckView {
    let report: ShoeCheckReport
    let names: ShoeNames
    let clock: DayClock

    /// A line for each session; none when nothing happened.
    var lines: [String] {
        parts.flatMap { part in
            part.sessions.map { session in
                let view = ShoeSessionView(session: session, names: names, clock: clock)
                return "shoe \(part.text): \(view.line)"
            }
        }
    }

    var json: JSONValue {
        .object(
            parts.map { part in
                let sessions = part.sessions.map { ShoeSessionView(session: $0, names: names, clock: clock).json }
                return JSONValue.Member(name: part.name, value: .array(sessions))
            })
    }

    private var parts: [(name: String, text: String, sessions: [ShoeSession])] {
        [
            ("started", "put on by itself", report.started), ("closed", "taken off by itself", report.closed),
            ("moved", "moved with newer steps", report.moved),
            ("removed", "not worn after all", report.removed),
        ]
    }
}
