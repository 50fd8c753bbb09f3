/// A sample that was deleted where it was recorded.
public struct DeletedSample: Sendable, Hashable, Codable {
    /// The identifier that the sample had in `SampleDetail.externalID`. If the source splits one record into several
    /// samples, their identifiers are that of the record, `#` and a number; deleting the record deletes all of them.
    public var externalID: String
    /// The type of the sample; `nil` if the source does not state it.
    public var type: SampleType?
    /// The version at which it was deleted, comparable with `SampleDetail.syncVersion`. A sample of a higher version
    /// exists again. `nil` if the source does not order its statements: the deletion is final.
    public var version: Int64?

    /// The deletion of the sample with this identifier.
    public init(externalID: String, type: SampleType? = nil, version: Int64? = nil) {
        self.externalID = externalID
        self.type = type
        self.version = version
    }
}

/// An interval of which a source states all samples of some types.
public struct CompleteWindow: Sendable, Hashable, Codable {
    /// The samples that start in it are complete. In milliseconds since 1970, half-open.
    public var start: Instant
    /// The end, which is not part of the window.
    public var end: Instant
    /// The types that are complete in it.
    public var types: Set<SampleType>
    /// When the source stated it.
    public var date: Instant
    /// The version of the window, comparable with `SampleDetail.syncVersion`: the window deletes the samples of lower
    /// versions that it lacks, whatever arrives first. By default the milliseconds of `date`; samples without a version
    /// that arrive with the window then have its version.
    public var version: Int64

    /// A complete window of `types`, as of `date`.
    public init(start: Instant, end: Instant, types: Set<SampleType>, date: Instant, version: Int64? = nil) {
        self.start = start
        self.end = end
        self.types = types
        self.date = date
        self.version = version ?? date.milliseconds
    }
}

/// A record of which a source states all samples, such as a night with its stages: samples of the record that an earlier
/// statement contained and this one lacks no longer exist.
package struct StatedRecord: Sendable, Hashable, Codable {
    /// The identifier of the record. Its samples have it as their `externalID`, or with `#` and a text after it.
    package var externalID: String
    package var type: SampleType
    /// The earliest start of its samples.
    package var firstStart: Instant
    /// The latest start of its samples.
    package var lastStart: Instant
    /// The version of the statement; of two statements the higher one counts.
    package var version: Int64

    package init(externalID: String, type: SampleType, firstStart: Instant, lastStart: Instant, version: Int64) {
        self.externalID = externalID
        self.type = type
        self.firstStart = firstStart
        self.lastStart = lastStart
        self.version = version
    }
}

/// The number of a delivery in a numbered series, by which missing deliveries are noticed.
public struct DeliveryNumber: Sendable, Hashable, Codable {
    /// Identifies the series, such as a destination of an app.
    public var series: String
    /// The number; consecutive deliveries have consecutive numbers.
    public var number: Int64

    /// Delivery `number` of `series`.
    public init(series: String, number: Int64) {
        self.series = series
        self.number = number
    }
}

/// One of the deliveries that together state all samples of an interval.
///
/// The last delivery of a window states that it is the last one, but deliveries arrive in any order, more than once, and
/// some are lost. So a window counts as complete for a list of records only if its deliveries contain as many different
/// records as the sender holds.
package struct WindowPart: Sendable, Hashable, Codable {
    /// The records of one kind in a part.
    package struct List: Sendable, Hashable, Codable {
        /// The name of the list in the source.
        package var name: String
        /// The types of its samples.
        package var types: Set<SampleType>
        /// The number of records that the sender holds in the window, in all parts; `nil` if it could not read them.
        package var held: Int?
        /// The records in this part, by `WindowPart.key`.
        package var records: Set<UInt64>

        package init(name: String, types: Set<SampleType>, held: Int?, records: Set<UInt64>) {
            self.name = name
            self.types = types
            self.held = held
            self.records = records
        }
    }

    /// The window, half-open.
    package var start: Instant
    package var end: Instant
    /// The version of the part and of its samples (`SampleDetail.syncVersion`). Parts that were sent later have higher
    /// versions.
    package var version: Int64
    /// When the part was made.
    package var date: Instant
    /// Whether it is the last part of its window.
    package var isLast: Bool
    /// The kinds of records that were read for this part.
    package var lists: [List]

    package init(start: Instant, end: Instant, version: Int64, date: Instant, isLast: Bool, lists: [List]) {
        self.start = start
        self.end = end
        self.version = version
        self.date = date
        self.isLast = isLast
        self.lists = lists
    }

    /// Returns a number that identifies a record; equal for equal texts (FNV-1a with 64 bits).
    package static func key(_ text: String) -> UInt64 { key(text.utf8) }

    static func key(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Returns the windows that `parts`, all of one window, prove complete.
    ///
    /// From each last part backwards, up to the previous last part, records are collected until a list has as many as
    /// the sender holds. Such a window has the version of the earliest part that this needs: the sender had not read
    /// the records of that list before.
    package static func complete(_ parts: [WindowPart]) -> [CompleteWindow] {
        rounds(parts).flatMap { round in
            let proven = names(in: round).compactMap { proof(of: $0, in: round) }
            return Dictionary(grouping: proven, by: \.part).sorted { $0.key < $1.key }.map { part, lists in
                CompleteWindow(
                    start: round[part].start, end: round[part].end,
                    types: lists.reduce(into: []) { $0.formUnion($1.types) }, date: round[part].date,
                    version: round[part].version)
            }
        }
    }

    /// Returns whether the last round of `parts` proves all of its lists complete, so that no further part is needed.
    package static func isWhole(_ parts: [WindowPart]) -> Bool {
        guard let last = rounds(parts).first else { return false }
        return names(in: last).allSatisfy { proof(of: $0, in: last) != nil }
    }

    /// Returns the parts of each round, the latest first. A round begins with a last part and goes back in time.
    private static func rounds(_ parts: [WindowPart]) -> [[WindowPart]] {
        let different = Dictionary(parts.map { ($0.version, $0) }, uniquingKeysWith: { first, _ in first })
        var rounds: [[WindowPart]] = []
        for part in different.values.sorted(by: { $1.version < $0.version }) {
            if part.isLast {
                rounds.append([part])
            } else if !rounds.isEmpty {
                rounds[rounds.count - 1].append(part)
            }
        }
        return rounds
    }

    private static func names(in round: [WindowPart]) -> [String] {
        Set(round.flatMap { $0.lists.map(\.name) }).sorted()
    }

    /// Returns the types of a list and the position in `round` of the earliest part that proves it complete.
    private static func proof(of name: String, in round: [WindowPart]) -> (types: Set<SampleType>, part: Int)? {
        var records: Set<UInt64> = []
        var held = 0
        for (place, part) in round.enumerated() {
            guard let list = part.lists.first(where: { $0.name == name }) else { continue }
            guard let count = list.held else { return nil }
            held = max(held, count)
            records.formUnion(list.records)
            if records.count >= held { return (list.types, place) }
        }
        return nil
    }
}

/// The deliveries received of one numbered series, by which missing ones are noticed. A value without health data.
package struct DeliverySequence: Sendable, Hashable, Codable {
    /// A series of one app.
    package struct Key: Sendable, Hashable, Codable {
        /// The name of the app.
        package var sender: String
        /// The series within the app, such as a destination.
        package var series: String

        package init(sender: String, series: String) {
            self.sender = sender
            self.series = series
        }
    }

    package let key: Key
    /// The highest number received.
    package private(set) var last: Int64
    /// The numbers below `last` that were not received, in ascending order. Only the latest 1,000 gaps are kept.
    package private(set) var missing: [ClosedRange<Int64>] = []

    /// A series of which `first` is the first delivery received. Earlier ones are not counted as missing.
    package init(_ key: Key, first: Int64) {
        self.key = key
        last = first
    }

    /// Notes that delivery `number` was received; any number of times, in any order.
    package mutating func receive(_ number: Int64) {
        if number > last {
            if number > last + 1 { missing = Array((missing + [(last + 1)...(number - 1)]).suffix(Self.gapsKept)) }
            last = number
        } else if let index = missing.firstIndex(where: { $0.contains(number) }) {
            let gap = missing[index]
            var rest: [ClosedRange<Int64>] = []
            if gap.lowerBound < number { rest.append(gap.lowerBound...(number - 1)) }
            if number < gap.upperBound { rest.append((number + 1)...gap.upperBound) }
            missing.replaceSubrange(index...index, with: rest)
        }
    }

    /// Returns the gaps that `earlier`, a former state of this series, does not have.
    package func newGaps(since earlier: DeliverySequence?) -> [ClosedRange<Int64>] {
        missing.filter { gap in
            !(earlier?.missing.contains { $0.contains(gap.lowerBound) } ?? false)
        }
    }

    /// Returns a sentence about missing deliveries, such as `Hozz: deliveries 17–19 are missing`.
    package func sentence(of gap: ClosedRange<Int64>) -> String {
        gap.lowerBound == gap.upperBound
            ? "\(key.sender): delivery \(gap.lowerBound) is missing"
            : "\(key.sender): deliveries \(gap.lowerBound)–\(gap.upperBound) are missing"
    }

    private static let gapsKept = 1_000
}
