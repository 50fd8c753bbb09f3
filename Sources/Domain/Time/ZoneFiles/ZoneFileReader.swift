/// Parses the parts of a TZif file in order (RFC 9636, section 3).
struct ZoneFileReader {
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
