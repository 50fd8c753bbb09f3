/// The identity of a sample: a version 5 UUID (RFC 9562) of its content and origin. It never depends on a date
/// string, a file name or the order of reading, so the same sample has the same id in every file.
public struct SampleID: Hashable, Sendable, CustomStringConvertible {
    /// The first 64 bits.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// Creates an id from its bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a version 5 UUID from the first 16 bytes of the SHA-1 of namespace and name.
    public init(version5 sha1: ContentDigest) {
        high = sha1.high & 0xFFFF_FFFF_FFFF_0FFF | 0x5000
        low = sha1.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Parses the 8-4-4-4-12 form, in upper or lower case.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let halves = text.withUTF8(UUIDText.halves) else { return nil }
        self.init(high: halves.high, low: halves.low)
    }

    /// The 8-4-4-4-12 form in lower case.
    public var description: String {
        var text = JSONBytes(reserving: 36)
        text.id(self)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The namespace of content-based ids, itself a version 5 UUID of `healthsync:samples` in the URL namespace.
    package static let namespace: [UInt8] = [
        0x41, 0xdd, 0xe1, 0x94, 0x6f, 0xa4, 0x56, 0xac, 0xb4, 0xcc, 0x45, 0xfc, 0xed, 0x1b, 0xa3, 0xe5,
    ]

    /// Returns the bytes hashed for a sample: namespace, then type, start, end, value, unit and origin, separated by
    /// 0x1F.
    package static func hashedBytes(
        type: SampleType, interval: InstantRange, value: Double, unit: String, origin: SampleOrigin
    ) -> [UInt8] {
        let text =
            "\(type.rawValue)\u{1F}\(interval.start.milliseconds)\u{1F}\(interval.end.milliseconds)\u{1F}"
            + "\(CanonicalNumber.text(value))\u{1F}\(unit)\u{1F}\(origin.canonicalText)"
        return namespace + Array(text.utf8)
    }

    /// Returns the bytes that schemas before 14 hashed for a sample with an external id that is not a UUID.
    package static func formerHashedBytes(type: SampleType, externalID: String) -> [UInt8] {
        namespace + Array("\(type.rawValue)\u{1F}external\u{1F}\(externalID)".utf8)
    }
}

extension JSONBytes {
    /// Appends an id in the 8-4-4-4-12 form, without quotation marks.
    package mutating func id(_ id: SampleID) { uuid(high: id.high, low: id.low) }
}

/// A 128-bit digest of some content. Equal contents have equal digests; different contents practically never do.
public struct ContentDigest: Hashable, Sendable {
    /// The first eight bytes, read as a big-endian number.
    public let high: UInt64
    /// The next eight bytes.
    public let low: UInt64

    /// Creates a digest from its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a digest from the first 16 of `bytes`; `nil` if there are fewer.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for index in 0..<8 {
            halves.high = halves.high << 8 | UInt64(bytes[index])
            halves.low = halves.low << 8 | UInt64(bytes[index + 8])
        }
        (high, low) = halves
    }

    /// The 16 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        append(to: &bytes)
        return bytes
    }

    /// Appends the 16 bytes.
    package func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe bytes.append(contentsOf: $0) }
    }
}

/// Writes the same bytes as `SampleID.hashedBytes` for many samples of one type, unit and origin, without creating a
/// string for each sample.
package struct SampleIDWriter {
    private let head: [UInt8]
    private let tail: [UInt8]
    /// The bytes of the sample written last.
    package private(set) var bytes: [UInt8] = []

    package init(type: SampleType, unit: String, origin: SampleOrigin) {
        head = SampleID.namespace + Array("\(type.rawValue)\u{1F}".utf8)
        tail = Array("\(unit)\u{1F}\(origin.canonicalText)".utf8)
        bytes.reserveCapacity(head.count + tail.count + 72)
    }

    /// Writes the sample from `start` to `end`, in milliseconds since 1970, with `value`.
    package mutating func write(start: Int64, end: Int64, value: Double) {
        bytes.removeAll(keepingCapacity: true)
        bytes += head
        append(start)
        append(end)
        CanonicalNumber.append(value, to: &bytes)
        bytes.append(Self.separator)
        bytes += tail
    }

    /// Appends the number in decimal and the separator.
    private mutating func append(_ number: Int64) {
        bytes.append(decimal: number)
        bytes.append(Self.separator)
    }

    private static let separator: UInt8 = 0x1F
}
