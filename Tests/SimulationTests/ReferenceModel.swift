import Foundation

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
        for measurement in all where measurement.kind != .sleep {
            let day = day(of: measurement.start)
            let date = Self.text(day: day)
            let name = measurement.kind == .steps ? "steps" : "activeEnergy"
            let hour = Self.text(instant: hourStart(of: measurement.start, on: day))
            content.figures["\(name)/day/\(date)", default: 0] += Double(measurement.value)
            content.figures["\(name)/hour/\(date)/\(hour)", default: 0] += Double(measurement.value)
            content.add(Double(measurement.value), toFigure: measurement.kind == .steps ? 0 : 1, of: date)
            if measurement.kind == .steps {
                content.samples.append("\(Self.text(instant: measurement.start)) \(measurement.value)")
            }
        }
        addSleep(of: all.filter { $0.kind == .sleep }, to: &content)
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

    static func text(instant: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(instant)).formatted(.iso8601)
    }
}

/// Sleep: sessions of each phone without gaps over an hour; the longest of a night is its main sleep, the others are too short
/// to be more than naps.
extension ReferenceModel {
    private struct Session {
        var phone: Int
        var start: Int64
        var end: Int64
        var asleep: Int64
        var hasStages: Bool
    }

    private func addSleep(of measurements: [Measurement], to content: inout Content) {
        let sessions = Dictionary(grouping: measurements, by: \.phone).values.flatMap(Self.sessions)
        for (night, sessions) in Dictionary(grouping: sessions, by: { night(of: $0.start) }) {
            var mains: [Session] = []
            for ranked in Dictionary(grouping: sessions, by: \.phone).values.map({ $0.sorted(by: Self.outranks) }) {
                mains.append(ranked[0])
                for (rank, session) in ranked.enumerated() {
                    let text = Content.session(
                        "Phone \(session.phone)", session.start, session.end, minutes: Double(session.asleep) / 60)
                    let day = rank == 0 ? night : dateOfEnd(session)
                    let role = rank == 0 ? "main" : "nap"
                    content.sessions.append(text)
                    content.nights[text] = "\(role) of the night \(Self.text(day: night)), day \(Self.text(day: day))"
                }
            }
            // A night with stages is preferred, then the order of the phones.
            let preferred = mains.min { ($0.hasStages ? 0 : 1, $0.phone) < ($1.hasStages ? 0 : 1, $1.phone) }
            content.add(Double(preferred?.asleep ?? 0) / 60, toFigure: 2, of: Self.text(day: night))
        }
    }

    private static func sessions(of measurements: [Measurement]) -> [Session] {
        var sessions: [Session] = []
        for one in measurements.sorted(by: { $0.start < $1.start }) {
            let end = one.start + Measurement.seconds
            if let last = sessions.indices.last, one.start - sessions[last].end <= 3600 {
                sessions[last].end = end
                sessions[last].asleep += Measurement.seconds
                sessions[last].hasStages = sessions[last].hasStages || one.isCore
            } else {
                let asleep = Measurement.seconds
                sessions.append(
                    Session(phone: one.phone, start: one.start, end: end, asleep: asleep, hasStages: one.isCore))
            }
        }
        return sessions
    }

    private static func outranks(_ left: Session, _ right: Session) -> Bool {
        let (long, short) = (left.end - left.start, right.end - right.start)
        return (long, left.asleep, right.start) > (short, right.asleep, left.start)
    }

    /// Returns the date of the last moment, by the wall clock of the session's start: a server knows no other clock.
    private func dateOfEnd(_ session: Session) -> Int {
        let zone = zone(on: day(of: session.start))
        return Int((session.end - 1 + offset(of: zone, at: session.start)) / 86_400)
    }

    /// The night of a day lasts from the noon before to its noon.
    private func night(of instant: Int64) -> Int {
        var day = day(of: instant)
        while noon(of: day) <= instant { day += 1 }
        while noon(of: day - 1) > instant { day -= 1 }
        return day
    }

    private func noon(of day: Int) -> Int64 {
        let utc = Int64(day) * 86_400 + 43_200
        let zone = zone(on: day)
        return utc - offset(of: zone, at: utc - offset(of: zone, at: utc))
    }
}
