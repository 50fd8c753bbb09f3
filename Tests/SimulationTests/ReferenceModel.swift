import Foundation

/// What the local store and the server must contain.
struct Content: Equatable, Sendable {
    /// The quantities of days and hours, by id.
    var figures: [String: Double] = [:]
    /// Steps and energy of the activity snapshots, by id.
    var snapshots: [String: [Double?]] = [:]
    /// The raw steps, as start and value.
    var samples: [String] = []

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
        let (own, their) = (Set(samples), Set(expected.samples))
        lines += own.subtracting(their).sorted().map { "\(name): sample \($0) is not expected" }
        lines += their.subtracting(own).sorted().map { "\(name): sample \($0) is missing" }
        if own.count != samples.count { lines.append("\(name): \(samples.count - own.count) samples are doubled") }
        return lines.count > 6 ? Array(lines.prefix(6)) + ["\(name): \(lines.count - 6) more"] : lines
    }
}

/// A stay of the user in a zone.
struct Stay: Hashable, Sendable {
    /// The first day, in days since 1970; `nil` for the home zone.
    var firstDay: Int?
    var zone: String
}

/// Computes from the imported documents what must be stored, without any code of the program. Days are those of the
/// user's zones by Foundation.
struct ReferenceModel: Sendable {
    private struct Statement {
        var version: Int64
        /// `nil` if the record was deleted.
        var measurement: Measurement?
    }

    private var exports: [Int: (date: Int64, measurements: [Measurement])] = [:]
    private var records: [String: Statement] = [:]
    var stays: [Stay] { didSet { zones = Self.zones(of: stays) } }
    private var zones: [TimeZone]

    init(stays: [Stay]) {
        self.stays = stays
        zones = Self.zones(of: stays)
    }

    private static func zones(of stays: [Stay]) -> [TimeZone] {
        stays.map { TimeZone(identifier: $0.zone) ?? .gmt }
    }

    /// Notes that a document was imported. The order does not matter: the latest export of a phone counts, and the latest
    /// statement about a record.
    mutating func apply(_ document: Document) {
        if case .export(let date) = document.form {
            guard exports[document.phone]?.date ?? .min <= date else { return }
            exports[document.phone] = (date, document.records.map(\.measurement))
            return
        }
        for record in document.records {
            state(record.id, Statement(version: document.number, measurement: record.measurement))
        }
        for id in document.deleted { state(id, Statement(version: document.number, measurement: nil)) }
    }

    private mutating func state(_ id: String, _ statement: Statement) {
        guard records[id]?.version ?? .min <= statement.version else { return }
        records[id] = statement
    }

    /// The content that local store and server must have.
    func content() -> Content {
        var content = Content()
        let all = exports.values.flatMap(\.measurements) + records.values.compactMap(\.measurement)
        for measurement in all {
            let day = day(of: measurement.start)
            let date = Self.text(day: day)
            let name = measurement.kind == .steps ? "steps" : "activeEnergy"
            let hour = Self.text(instant: hourStart(of: measurement.start, on: day))
            content.figures["\(name)/day/\(date)", default: 0] += Double(measurement.value)
            content.figures["\(name)/hour/\(date)/\(hour)", default: 0] += Double(measurement.value)
            var snapshot = content.snapshots["snapshot/\(date)"] ?? [nil, nil]
            let place = measurement.kind == .steps ? 0 : 1
            snapshot[place] = (snapshot[place] ?? 0) + Double(measurement.value)
            content.snapshots["snapshot/\(date)"] = snapshot
            if measurement.kind == .steps {
                content.samples.append("\(Self.text(instant: measurement.start)) \(measurement.value)")
            }
        }
        return content
    }

    /// Returns the day of an instant in seconds, in days since 1970.
    func day(of instant: Int64) -> Int {
        var day = Int(instant / 86_400) - 2
        while start(of: day + 1) <= instant { day += 1 }
        return day
    }

    private func zone(on day: Int) -> TimeZone {
        zones[stays.lastIndex { ($0.firstDay ?? .min) <= day } ?? 0]
    }

    /// A day that begins in another zone begins no earlier than the day before.
    private func start(of day: Int) -> Int64 {
        let own = midnight(of: day, in: zone(on: day))
        return stays.contains { $0.firstDay == day } ? max(own, start(of: day - 1)) : own
    }

    private func midnight(of day: Int, in zone: TimeZone) -> Int64 {
        let utc = Int64(day) * 86_400
        return utc - offset(of: zone, at: utc - offset(of: zone, at: utc))
    }

    private func hourStart(of instant: Int64, on day: Int) -> Int64 {
        let wall = instant + offset(of: zone(on: day), at: instant)
        return max(start(of: day), instant - wall % 3600)
    }

    private func offset(of zone: TimeZone, at instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))))
    }

    private static func text(day: Int) -> String { String(text(instant: Int64(day) * 86_400).prefix(10)) }

    private static func text(instant: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(instant)).formatted(.iso8601)
    }
}
