/// Writes what `SampleID.hashedBytes` says, for many samples of one type, unit and origin, without a text a sample.
package struct SampleIDWriter {
    private let head: [UInt8]
    private let tail: [UInt8]
    /// What is hashed for the sample written last.
    package private(set) var bytes: [UInt8] = []

    package init(type: SampleType, unit: String, origin: SampleOrigin) {
        head = SampleID.namespace + Array("\(type.rawValue)\u{1F}".utf8)
        tail = Array("\(unit)\u{1F}\(origin.canonicalText)".utf8)
        bytes.reserveCapacity(head.count + tail.count + 72)
    }

    /// Writes the sample from `start` to `end`, in milliseconds since 1970, of `value`.
    package mutating func write(start: Int64, end: Int64, value: Double) {
        bytes.removeAll(keepingCapacity: true)
        bytes += head
        append(start)
        append(end)
        CanonicalNumber.append(value, to: &bytes)
        bytes.append(Self.separator)
        bytes += tail
    }

    /// The number in decimal and the separator.
    private mutating func append(_ number: Int64) {
        bytes.append(decimal: number)
        bytes.append(Self.separator)
    }

    private static let separator: UInt8 = 0x1F
}
