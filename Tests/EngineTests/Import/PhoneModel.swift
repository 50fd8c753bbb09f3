import HealthSyncDomain
import HealthSyncTestKit

/// A phone that records, edits and deletes records, and posts what changed and complete windows, under consecutive
/// versions. It knows which samples a receiver must have once every post arrived, in any order.
struct PhoneModel {
    /// A record of one or several samples.
    struct Record: Hashable {
        var id: String
        var facts: [Fact]
        /// Whether the record has several samples, whose identifiers are that of the record with `#` and the start.
        var hasParts: Bool
        /// Edits move a record by at most a day from here.
        var day: Int
    }

    static let types = [SampleTypeDefinition.stepCount, .sleepAnalysis]

    private(set) var posts: [MemorySource] = []
    private var random: SeededRandom
    private var version: Int64 = 0
    private var number = 0
    /// The records on the phone.
    private var records: [String: Record] = [:]
    /// What was posted last about each record: its content, or nothing after a deletion.
    private var posted: [String: Record?] = [:]
    private var deleted: [String] = []

    init(seed: Int, steps: Int) {
        random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<steps { act() }
    }

    /// The samples that every receiver of all posts has.
    var expected: [Fact] { posted.values.compactMap(\.self).flatMap(\.facts).sorted() }

    private mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func act() {
        switch chance(8) {
        case 0...2: add()
        case 3: edit()
        case 4: delete()
        case 5, 6: sync()
        default: window()
        }
    }

    private mutating func add() {
        number += 1
        let (hasParts, day) = (chance(2) == 0, 1 + chance(6))
        records["r\(number)"] = Record(
            id: "r\(number)", facts: content(hasParts: hasParts, day: day), hasParts: hasParts, day: day)
    }

    /// Returns the samples of a record, which differ from those of all others.
    private mutating func content(hasParts: Bool, day: Int) -> [Fact] {
        let first = 8 + chance(14)
        return (0..<(hasParts ? 1 + chance(3) : 1)).map { place in
            number += 1
            var fact = Fact.steps(Double(number), day: day, hour: first + 2 * place)
            if hasParts { (fact.type, fact.value) = (.sleepAnalysis, Double(2 + chance(4))) }
            fact.minute += number % 60
            return fact
        }
    }

    private mutating func edit() {
        guard let id = records.keys.sorted().randomElement(using: &random), var record = records[id] else { return }
        record.facts = content(hasParts: record.hasParts, day: record.day + chance(3) - 1)
        records[id] = record
    }

    private mutating func delete() {
        guard let id = records.keys.sorted().randomElement(using: &random), var record = records[id] else { return }
        records[id] = nil
        deleted.append(id)
        if chance(2) == 0 { sync() }
        // Health Connect gives a record that is written again the identifier that it had.
        guard chance(3) == 0 else { return }
        record.facts = content(hasParts: record.hasParts, day: record.day)
        records[id] = record
    }

    /// Posts some records as they are, and what was deleted and does not exist.
    private mutating func sync() {
        version += 1
        let stated = records.keys.sorted().filter { _ in chance(2) == 0 }.compactMap { records[$0] }
        let gone = deleted.filter { records[$0] == nil }
        deleted = []
        for id in gone { posted[id] = .some(nil) }
        post(stated, deleting: gone)
    }

    /// Posts all records that begin in an interval, in parts.
    private mutating func window() {
        let days = [chance(6), chance(6)].sorted()
        let (start, end) = (Fact.day(days[0]).utcStart, Fact.day(days[1] + 1).utcStart)
        func isInside(_ record: Record) -> Bool {
            let first = record.facts.map(\.start).min() ?? end
            return start <= first && first < end
        }
        let inside = records.values.filter(isInside).sorted { $0.id < $1.id }
        for (id, record) in posted {
            guard let record, isInside(record), !inside.contains(where: { $0.id == id }) else { continue }
            posted[id] = .some(nil)
        }
        var left = inside
        repeat {
            version += 1
            let part = Array(left.prefix(1 + chance(3)))
            left.removeFirst(part.count)
            let list = WindowPart.List(
                name: "all", types: Set(Self.types.map(\.type)), held: inside.count,
                records: Set(part.map { WindowPart.key($0.id) }))
            post(
                part,
                part: WindowPart(
                    start: start, end: end, version: version, date: Instant(seconds: version), isLast: left.isEmpty,
                    lists: [list]))
        } while !left.isEmpty
    }

    private mutating func post(_ stated: [Record], deleting ids: [String] = [], part: WindowPart? = nil) {
        for record in stated { posted[record.id] = record }
        var source = MemorySource(
            location: "post \(version)", provider: "stream", semantics: .changes,
            content: .entries(stated.flatMap(\.facts).map { .sample($0) }))
        source.details = stated.flatMap { record in
            record.facts.map { fact in
                SampleDetail(
                    externalID: record.hasParts ? "\(record.id)#\(fact.minute)" : record.id, syncVersion: version)
            }
        }
        source.deletions = ids.map { DeletedSample(externalID: $0, version: version) }
        source.windowParts = part.map { [$0] } ?? []
        source.statedRecords = stated.map { record in
            let starts = record.facts.map(\.start)
            return StatedRecord(
                externalID: record.id, type: record.facts[0].type.type, firstStart: starts.min() ?? starts[0],
                lastStart: starts.max() ?? starts[0], version: version)
        }
        posts.append(source)
    }
}
