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

/// Sleep: sessions of each phone without gaps over an hour, merged by time to nights and naps (docs/numbers.md).
extension ReferenceModel {
    private struct Session {
        var phone: Int
        var parts: [(start: Int64, end: Int64)]
        var hasStages: Bool
        var counted: Int64 = 0

        var start: Int64 { parts[0].start }
        var end: Int64 { parts[parts.count - 1].end }
        func asleep(from start: Int64, to end: Int64) -> Int64 {
            parts.reduce(0) { $0 + max(0, min($1.end, end) - max($1.start, start)) }
        }
    }

    /// A period or a night.
    private struct Sleep {
        var sessions: [Session]
        /// From the first to the last moment asleep that counts.
        var start: Int64
        var end: Int64
        var asleep: Int64
    }

    private func addSleep(of measurements: [Measurement], to content: inout Content) {
        let sessions = Dictionary(grouping: measurements, by: \.phone).values.flatMap(Self.sessions)
        let nights = nights(Self.periods(sessions))
        let rivals = nights.filter { !isByDay($0) }
        let longest = Dictionary(grouping: rivals, by: day).mapValues { nights in
            nights.max { ($0.asleep, $1.start) < ($1.asleep, $0.start) }?.start
        }
        for night in nights {
            let isMain = !isByDay(night) && longest[day(of: night)] == night.start
            let day = isMain || night.asleep >= 3 * 3600 ? day(of: night) : wall(night.end, at: night.end).day
            let role = isMain ? "main" : night.asleep >= 3 * 3600 ? "additional" : "nap"
            for session in night.sessions {
                let asleep = session.asleep(from: session.start, to: session.end)
                let text = Content.session(
                    "Phone \(session.phone)", session.start, session.end, minutes: Double(asleep) / 60)
                content.sessions.append(text)
                content.nights[text] = "\(role) of \(Self.text(day: day))"
            }
            if isMain { content.add(Double(night.asleep) / 60, toFigure: 2, of: Self.text(day: day)) }
        }
    }

    private static func sessions(of measurements: [Measurement]) -> [Session] {
        var sessions: [Session] = []
        for one in measurements.sorted(by: { $0.start < $1.start }) {
            let part = (start: one.start, end: one.start + Measurement.seconds)
            if let last = sessions.indices.last, one.start - sessions[last].end <= 3600 {
                sessions[last].parts.append(part)
                sessions[last].hasStages = sessions[last].hasStages || one.isCore
            } else {
                sessions.append(Session(phone: one.phone, parts: [part], hasStages: one.isCore))
            }
        }
        return sessions
    }

    private static func periods(_ sessions: [Session]) -> [Sleep] {
        var groups: [[Session]] = []
        for session in sessions.sorted(by: { $0.start < $1.start }) {
            if let last = groups.indices.last, session.start - (groups[last].map(\.end).max() ?? 0) <= 3600 {
                groups[last].append(session)
            } else {
                groups.append([session])
            }
        }
        return groups.map(period)
    }

    private static func period(_ group: [Session]) -> Sleep {
        var sessions = group.sorted {
            ($0.hasStages ? 0 : 1, $0.start, $0.phone) < ($1.hasStages ? 0 : 1, $1.start, $1.phone)
        }
        // Every second of the period is looked at by itself.
        var covered: Set<Int64> = []
        var (first, last) = (Int64.max, Int64.min)
        for index in sessions.indices {
            let session = sessions[index]
            let seconds = (session.start..<session.end).filter { !covered.contains($0) }
            let isWhole = Int64(seconds.count) == session.end - session.start
            var pieces: [(start: Int64, end: Int64)] = []
            for second in seconds {
                if let piece = pieces.last, piece.end == second {
                    pieces[pieces.count - 1].end = second + 1
                } else {
                    pieces.append((second, second + 1))
                }
            }
            for piece in pieces where isWhole || piece.end - piece.start > 3600 {
                let asleep = session.asleep(from: piece.start, to: piece.end)
                guard asleep > 0 else { continue }
                sessions[index].counted += asleep
                covered.formUnion(piece.start..<piece.end)
                for part in session.parts where part.end > piece.start && part.start < piece.end {
                    first = min(first, max(part.start, piece.start))
                    last = max(last, min(part.end, piece.end))
                }
            }
        }
        return Sleep(sessions: sessions, start: first, end: last, asleep: sessions.reduce(0) { $0 + $1.counted })
    }

    private func nights(_ periods: [Sleep]) -> [Sleep] {
        var nights: [Sleep] = []
        var alone: [Sleep] = []
        for period in periods.sorted(by: { $0.start < $1.start }) {
            let hour = wall(period.start, at: period.end).seconds / 3600
            let isLong = period.asleep >= 3 * 3600
            let mayBe = hour >= 21 || hour < 9 || isLong || ((hour >= 18 || hour < 12) && period.asleep >= 90 * 60)
            if !mayBe {
                alone.append(period)
            } else if let last = nights.last, period.start - last.end <= 3 * 3600 {
                nights[nights.count - 1].sessions += period.sessions
                nights[nights.count - 1].end = max(last.end, period.end)
                nights[nights.count - 1].asleep += period.asleep
            } else {
                nights.append(period)
            }
        }
        return nights + alone
    }

    private func day(of night: Sleep) -> Int {
        let (begin, end) = (wall(night.start, at: night.end), wall(night.end, at: night.end))
        return (begin.day, begin.seconds) >= (end.day, 18 * 3600) ? end.day + 1 : end.day
    }

    private func isByDay(_ night: Sleep) -> Bool {
        let (begin, end) = (wall(night.start, at: night.end), wall(night.end, at: night.end))
        return night.asleep < 3 * 3600 && begin.seconds >= 9 * 3600 && begin.seconds < 21 * 3600
            && (end.day, end.seconds) < (begin.day, 22 * 3600)
    }

    /// Returns what the clock of the zone in which the user is at `place` shows at an instant.
    private func wall(_ instant: Int64, at place: Int64) -> (day: Int, seconds: Int64) {
        let zone = zone(on: day(of: place))
        let local = instant + offset(of: zone, at: instant)
        let day = Int((Double(local) / 86_400).rounded(.down))
        return (day, local - Int64(day) * 86_400)
    }
}
