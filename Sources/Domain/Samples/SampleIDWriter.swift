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
