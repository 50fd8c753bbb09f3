/// What the local store and the server must contain.
struct Content: Equatable, Sendable {
    /// The quantities of days and hours, by id.
    var figures: [String: Double] = [:]
    /// Steps, energy and minutes asleep of the activity snapshots, by id.
    var snapshots: [String: [Double?]] = [:]
    /// The raw steps, as start and value.
    var samples: [String] = []
    /// The sleep sessions, as `session` describes them.
    var sessions: [String] = []
    /// The role and day of each sleep session.
    var nights: [String: String] = [:]

    static func session(_ source: String, _ start: Int64, _ end: Int64, minutes: Double) -> String {
        "\(source), \(ReferenceModel.text(instant: start)) to \(ReferenceModel.text(instant: end)), \(minutes) min"
    }

    /// Returns how `self`, named `name`, differs from `expected`; a few lines at most.
    func differences(from expected: Content, name: String) -> [String] {
        var lines: [String] = []
        for id in Set(figures.keys).union(expected.figures.keys).sorted() where figures[id] != expected.figures[id] {
            lines.append("\(name): \(id) is \(figures[id] ?? .nan), expected \(expected.figures[id] ?? .nan)")
        }
        for id in Set(snapshots.keys).union(expected.snapshots.keys).sorted()
        where snapshots[id] != expected.snapshots[id] {
            lines.append("\(name): \(id) is \(snapshots[id] ?? []), expected \(expected.snapshots[id] ?? [])")
        }
        for (kind, own, their) in [("sample", samples, expected.samples), ("session", sessions, expected.sessions)] {
            let (some, others) = (Set(own), Set(their))
            lines += some.subtracting(others).sorted().map { "\(name): \(kind) \($0) is not expected" }
            lines += others.subtracting(some).sorted().map { "\(name): \(kind) \($0) is missing" }
            if some.count != own.count { lines.append("\(name): \(own.count - some.count) \(kind)s are doubled") }
        }
        for (session, night) in expected.nights.sorted(by: { $0.key < $1.key })
        where nights[session] != night {
            lines.append("\(name): \(session) is \(nights[session] ?? ""), expected \(night)")
        }
        return lines.count > 6 ? Array(lines.prefix(6)) + ["\(name): \(lines.count - 6) more"] : lines
    }

    /// Adds to a figure of the snapshot of a day.
    mutating func add(_ value: Double, toFigure place: Int, of date: String) {
        var figures = snapshots["snapshot/\(date)"] ?? [nil, nil, nil]
        figures[place] = (figures[place] ?? 0) + value
        snapshots["snapshot/\(date)"] = figures
    }
}
