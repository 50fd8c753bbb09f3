import HealthSyncDomain
import HealthSyncTestKit

/// Phones that record, edit and delete measurements, and send them: the first two by exports, the third by a feed, the
/// others by change streams.
struct Phones {
    private struct Phone {
        var records: [String: Measurement] = [:]
        /// What was not sent yet, with `nil` for deletions.
        var unsent: [String: Measurement?] = [:]
        var taken: Set<Measurement> = []
        var number: Int64 = 0
        var documents: [Document] = []
    }

    private static let exporters = 0..<2
    private static let feed = 2
    /// Enough for an export never to lack a fifth of the one before.
    private static let firstRecords = 80

    private var phones: [Phone]
    private var names = 0
    private var lastExport = Int64.min

    /// Creates phones with two weeks of measurements before `now`.
    init(now: Instant, random: inout SeededRandom) {
        phones = (0..<5).map { _ in Phone() }
        for phone in phones.indices {
            for _ in 0..<(Self.exporters.contains(phone) ? Self.firstRecords : 10) {
                record(phone, before: now, hours: 336, random: &random)
            }
        }
    }

    /// Records, edits and deletes.
    mutating func live(now: Instant, random: inout SeededRandom) {
        for phone in phones.indices {
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                record(phone, before: now, hours: 120, random: &random)
            }
            let chance = Int.random(in: 0..<6, using: &random)
            guard let id = phones[phone].records.keys.sorted().randomElement(using: &random) else { continue }
            if chance == 0 { change(phone, id, to: edited(phones[phone].records[id], phone, random: &random)) }
            if chance == 1, phone != Self.feed { change(phone, id, to: nil) }
        }
    }

    /// Returns what some phones send now, in a random order, among it what was sent before.
    mutating func documents(now: Instant, random: inout SeededRandom) -> [Document] {
        var sent: [Document] = []
        for phone in phones.indices where Bool.random(using: &random) {
            if let again = phones[phone].documents.randomElement(using: &random), Bool.random(using: &random) {
                sent.append(again)
            }
            sent += Self.exporters.contains(phone) ? [export(phone, now: now)] : posts(phone, random: &random)
        }
        return sent.shuffled(using: &random)
    }

    private mutating func record(_ phone: Int, before now: Instant, hours: Int64, random: inout SeededRandom) {
        names += 1
        guard let measurement = free(phone, before: now.seconds / 3600, hours: hours, random: &random) else { return }
        change(phone, "\(phone)-\(names)", to: measurement)
    }

    /// Returns a measurement at a time that the phone has not used yet.
    private mutating func free(
        _ phone: Int, before hour: Int64, hours: Int64, random: inout SeededRandom
    ) -> Measurement? {
        var measurement = Measurement(
            phone: phone, kind: Measurement.Kind.allCases.randomElement(using: &random) ?? .steps,
            hour: hour - Int64.random(in: 1...hours, using: &random), value: 0)
        guard phones[phone].taken.insert(measurement).inserted else { return nil }
        measurement.value = Int.random(in: 1...1_000, using: &random)
        return measurement
    }

    /// Returns the measurement with another value, and sometimes at another time, not far away: an import searches for the
    /// former version on the days around the new one.
    private mutating func edited(
        _ measurement: Measurement?, _ phone: Int, random: inout SeededRandom
    ) -> Measurement? {
        guard var measurement else { return nil }
        if Bool.random(using: &random) {
            var other = Measurement(
                phone: phone, kind: measurement.kind, hour: measurement.hour - Int64.random(in: 1...6, using: &random),
                value: 0)
            if phones[phone].taken.insert(other).inserted {
                other.value = measurement.value
                measurement = other
            }
        }
        measurement.value = measurement.value % 1_000 + 1
        return measurement
    }

    private mutating func change(_ phone: Int, _ id: String, to measurement: Measurement?) {
        phones[phone].records[id] = measurement
        phones[phone].unsent[id] = .some(measurement)
    }

    private mutating func export(_ phone: Int, now: Instant) -> Document {
        // Two exports with one date would be parts of one snapshot.
        lastExport = max(now.seconds, lastExport + 1)
        let document = Document(
            phone: phone, form: .export(date: lastExport), number: 0,
            records: phones[phone].records.sorted { $0.key < $1.key }.map {
                Document.Record(id: $0.key, measurement: $0.value)
            })
        phones[phone].documents.append(document)
        return document
    }

    private mutating func posts(_ phone: Int, random: inout SeededRandom) -> [Document] {
        var posts: [Document] = []
        var left = phones[phone].unsent.sorted { $0.key < $1.key }
        phones[phone].unsent = [:]
        while !left.isEmpty {
            phones[phone].number += 1
            let part = left.prefix(Int.random(in: 1...8, using: &random))
            left.removeFirst(part.count)
            posts.append(
                Document(
                    phone: phone, form: phone == Self.feed ? .feed : .stream, number: phones[phone].number,
                    records: part.compactMap { id, measurement in
                        measurement.map { Document.Record(id: id, measurement: $0) }
                    },
                    deleted: part.filter { $0.value == nil }.map(\.key)))
        }
        phones[phone].documents += posts
        return posts
    }
}
