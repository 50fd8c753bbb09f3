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
