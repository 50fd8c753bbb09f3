/// The contents of a time zone information file (TZif, RFC 9636), versions 1 to 4.
package struct ZoneFile: Sendable, Hashable {
    /// Instants at which the offset may change, strictly ascending, in seconds since 1970 without leap seconds.
    let transitions: [Int64]
    /// `offsets[0]` applies before the first transition, `offsets[i + 1]` from `transitions[i]` on; seconds east of
    /// UTC.
    let offsets: [Int64]
    /// The rule for times after the last transition; `nil` if the file has none.
    let footer: PosixZoneRule?

    /// Parses the contents of a file; throws `MalformedZoneFile` with the reason if they are invalid.
    package init(_ bytes: [UInt8]) throws(MalformedZoneFile) {
        var reader = ZoneFileReader(bytes)
        var header = try reader.header()
        guard header.version > 1 else {
            (transitions, offsets) = try reader.block(header, timeSize: 4)
            footer = nil
            return
        }
        // The first block repeats the data in 32 bits for readers of version 1.
        try reader.skip(header.blockLength(timeSize: 4))
        header = try reader.header()
        (transitions, offsets) = try reader.block(header, timeSize: 8)
        footer = try reader.footer()
    }

    /// Returns the rules of the file for the zone named `identifier`, from 1900 to 2100.
    ///
    /// The footer applies from the last transition on, and to all times where the file has no transitions (RFC 9636,
    /// section 3.3).
    package func rules(identifier: String) -> ZoneRules {
        var changes = zip(transitions, offsets.dropFirst()).map { PosixZoneRule.Change(instant: $0, offset: $1) }
        var first = offsets[0]
        if let footer {
            let begin = transitions.last ?? ZoneRules.firstSecond
            let offset = footer.offset(at: begin)
            if changes.isEmpty { first = offset } else { changes[changes.count - 1].offset = offset }
            changes += footer.changes(after: begin, before: ZoneRules.lastSecond)
        }
        return ZoneRules(identifier: identifier, first: first, changes: changes)
    }
}

/// Bytes that are not a time zone information file.
package struct MalformedZoneFile: Error, Sendable, Hashable {
    /// The reason why the bytes are invalid.
    package var reason: String
}

extension ZoneRules {
    /// Drops changes without effect and those outside the years that the rules cover.
    fileprivate init(identifier: String, first: Int64, changes: [PosixZoneRule.Change]) {
        var transitions: [Int64] = []
        var offsets = [first]
        for change in changes where change.instant < Self.lastSecond {
            if change.instant <= Self.firstSecond {
                offsets[0] = change.offset
            } else if change.offset != offsets[offsets.count - 1] {
                transitions.append(change.instant)
                offsets.append(change.offset)
            }
        }
        self.init(identifier: identifier, transitions: transitions, offsets: offsets)
    }
}

/// Parses the parts of a TZif file in order (RFC 9636, section 3).
private struct ZoneFileReader {
    /// The six counts of a header and its version.
    struct Header {
        var version: Int
        var utcIndicators: Int
        var standardIndicators: Int
        var leapSeconds: Int
        var transitions: Int
        var types: Int
        var characters: Int

        /// Returns the length of the data block that follows the header, with times of `timeSize` bytes.
        func blockLength(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4) + standardIndicators
                + utcIndicators
        }
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func header() throws(MalformedZoneFile) -> Header {
        guard position + 44 <= bytes.count, bytes[position..<position + 4].elementsEqual("TZif".utf8) else {
            throw MalformedZoneFile(reason: "it does not begin with a TZif header")
        }
        let version = bytes[position + 4]
        position += 20
        let header = Header(
            version: version < 0x32 ? 1 : Int(version - 0x30), utcIndicators: count(), standardIndicators: count(),
            leapSeconds: count(), transitions: count(), types: count(), characters: count())
        guard header.types > 0, header.types <= 256 else {
            throw MalformedZoneFile(reason: "it has \(header.types) local time types")
        }
        return header
    }

    mutating func skip(_ length: Int) throws(MalformedZoneFile) {
        guard length <= bytes.count - position else { throw MalformedZoneFile(reason: "it is truncated") }
        position += length
    }

    /// Returns the transitions, and the offsets before and after each.
    mutating func block(
        _ header: Header, timeSize: Int
    ) throws(MalformedZoneFile) -> (transitions: [Int64], offsets: [Int64]) {
        let start = position
        try skip(header.blockLength(timeSize: timeSize))
        let indices = start + header.transitions * timeSize
        let types = indices + header.transitions
        let leapSeconds = types + header.types * 6 + header.characters
        let corrections = (0..<header.leapSeconds).map { index in
            let record = leapSeconds + index * (timeSize + 4)
            return (at: integer(at: record, size: timeSize), total: integer(at: record + timeSize, size: 4))
        }
        var transitions: [Int64] = []
        var offsets = [integer(at: types, size: 4)]
        for index in 0..<header.transitions {
            let type = Int(bytes[indices + index])
            let stated = integer(at: start + index * timeSize, size: timeSize)
            // Times in the files of `right/` include leap seconds; ours do not.
            let instant = stated.subtractingReportingOverflow(corrections.last { $0.at <= stated }?.total ?? 0)
            guard type < header.types, !instant.overflow else {
                throw MalformedZoneFile(reason: "transition \(index) is out of range")
            }
            guard transitions.last.map({ $0 < instant.partialValue }) ?? true else {
                throw MalformedZoneFile(reason: "its transitions are not in order")
            }
            transitions.append(instant.partialValue)
            offsets.append(integer(at: types + type * 6, size: 4))
        }
        // RFC 9636, section 3.2: an offset lies between -24:59:59 and +25:59:59.
        guard offsets.allSatisfy({ (-89_999...93_599).contains($0) }) else {
            throw MalformedZoneFile(reason: "an offset is longer than a day")
        }
        return (transitions, offsets)
    }

    /// Returns the rule between the two line feeds at the end; `nil` if it is empty.
    mutating func footer() throws(MalformedZoneFile) -> PosixZoneRule? {
        guard position < bytes.count, bytes[position] == 0x0A,
            let end = bytes[(position + 1)...].firstIndex(of: 0x0A)
        else { throw MalformedZoneFile(reason: "it has no footer") }
        let text = bytes[(position + 1)..<end]
        guard !text.isEmpty else { return nil }
        guard let rule = PosixZoneRule(Array(text)) else {
            throw MalformedZoneFile(reason: "its footer is not a rule")
        }
        return rule
    }

    private mutating func count() -> Int {
        defer { position += 4 }
        return Int(UInt32(truncatingIfNeeded: integer(at: position, size: 4)))
    }

    /// Returns the signed big-endian integer of `size` bytes at `place`.
    private func integer(at place: Int, size: Int) -> Int64 {
        var value: Int64 = bytes[place] & 0x80 == 0 ? 0 : -1
        for byte in bytes[place..<place + size] { value = value << 8 | Int64(byte) }
        return value
    }
}

/// The time zone database that provides the rules.
public struct ZoneDatabase: Sendable, Hashable {
    /// The folder of the zone files; `nil` for the rules built into Swift's Foundation.
    public var folder: String?
    /// The release of the database, such as `2025b`; `nil` if the folder does not contain it.
    public var version: String?

    /// Creates a database description.
    public init(folder: String?, version: String?) {
        self.folder = folder
        self.version = version
    }
}
