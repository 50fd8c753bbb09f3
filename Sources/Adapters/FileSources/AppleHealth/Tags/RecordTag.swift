/// The start tag of a `Record`: the numbers of its texts and the ranges of its values in the window.
struct RecordTag {
    /// The number of the type's text.
    var type = InternedText.none
    /// The number of the source's name.
    var source = InternedText.none
    /// The number of the device's stable part.
    var device = InternedText.none
    /// The number of the unit's text.
    var unit = InternedText.none
    /// Whether samples of the type are not selected; the rest of the tag is then not read.
    var isSkipped = false
    var startDate = ByteRange()
    var endDate = ByteRange()
    var value = ByteRange()
    var minimum = ByteRange()
    var maximum = ByteRange()
    var average = ByteRange()
    var recordCount = ByteRange()
    /// The tolerated faults.
    var faults: AttributeFaults = []
    /// Whether an attribute is repeated with a different value.
    var isContradictory = false
    private var seen: UInt16 = 0
    private static var usualValues: UInt16 { bit(.creationDate) | bit(.startDate) | bit(.endDate) | bit(.value) }

    /// Whether none of the attributes of a usual tail was read.
    @inline(__always)
    var lacksValues: Bool { seen & Self.usualValues == 0 }

    /// Sets the values from `tail`.
    @inline(__always)
    mutating func apply(_ tail: CommonTail) {
        (startDate, endDate, value) = (tail.startDate, tail.endDate, tail.value)
        seen |= Self.usualValues
    }

    /// Returns whether `attribute` was read.
    @inline(__always)
    func has(_ attribute: RecordAttribute) -> Bool { seen & Self.bit(attribute) != 0 }

    /// Marks `attribute` as read.
    @inline(__always)
    mutating func note(_ attribute: RecordAttribute) { seen |= Self.bit(attribute) }

    @inline(__always)
    private static func bit(_ attribute: RecordAttribute) -> UInt16 { 1 << UInt16(attribute.rawValue) }
}
