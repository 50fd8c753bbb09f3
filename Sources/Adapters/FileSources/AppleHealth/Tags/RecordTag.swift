/// The start tag of a `Record`: numbers of its texts and places of its figures in the window.
struct RecordTag {
    /// Number of the type's text.
    var type = InternedText.none
    /// Number of the source's name.
    var source = InternedText.none
    /// Number of the device's stable part.
    var device = InternedText.none
    /// Number of the unit's text.
    var unit = InternedText.none
    /// Whether samples of the type are not asked for; the rest of the tag was not looked at then.
    var isSkipped = false
    var startDate = ByteRange()
    var endDate = ByteRange()
    var value = ByteRange()
    var minimum = ByteRange()
    var maximum = ByteRange()
    var average = ByteRange()
    var recordCount = ByteRange()
    /// Liberties taken to read it.
    var faults: AttributeFaults = []
    /// Whether an attribute was written twice with different values.
    var contradictsItself = false
    private var seen: UInt16 = 0
    private static var usualFigures: UInt16 { bit(.creationDate) | bit(.startDate) | bit(.endDate) | bit(.value) }

    /// Whether none of the attributes of a usual tail was met.
    @inline(__always)
    var lacksFigures: Bool { seen & Self.usualFigures == 0 }

    /// Takes the figures of `tail`.
    @inline(__always)
    mutating func take(_ tail: UsualTail) {
        (startDate, endDate, value) = (tail.startDate, tail.endDate, tail.value)
        seen |= Self.usualFigures
    }

    /// Whether `attribute` was met.
    @inline(__always)
    func has(_ attribute: RecordAttribute) -> Bool { seen & Self.bit(attribute) != 0 }

    /// Notes that `attribute` was met.
    @inline(__always)
    mutating func note(_ attribute: RecordAttribute) { seen |= Self.bit(attribute) }

    @inline(__always)
    private static func bit(_ attribute: RecordAttribute) -> UInt16 { 1 << UInt16(attribute.rawValue) }
}
