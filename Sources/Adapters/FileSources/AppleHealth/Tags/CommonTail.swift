/// The rest of a record's tag from its first date on in the form that the Health app writes: creation, start and end
/// date and a value, in this order, separated by one space, in double quotes. It is recognized by whole words.
struct CommonTail {
    /// The number of bytes from the first space to the start of the value.
    private static let fixedLength = 123
    private static let dateLength = 25
    let startDate: ByteRange
    let endDate: ByteRange
    let value: ByteRange
    let end: TagEnd

    /// Reads the tail that begins with the space at `position`; `nil` if its form differs or it is incomplete.
    @inline(__always)
    init?(_ window: ByteWindow, _ position: Int) {
        guard window.word(position) == 0x6F69_7461_6572_6320, position < window.count &- Self.fixedLength else {
            return nil  // ` creatio`
        }
        let creation = position &+ 15
        let start = creation &+ 38
        let end = start &+ 36
        let value = end &+ 34
        // `onDate="`, `" startD` and `rtDate="`, `" endDat` and `ndDate="`, `" value=`.
        let names =
            (window.word(creation &- 8) ^ 0x223D_6574_6144_6E6F)
            | (window.word(start &- 13) ^ 0x4474_7261_7473_2022) | (window.word(start &- 8) ^ 0x223D_6574_6144_7472)
            | (window.word(end &- 11) ^ 0x7461_4464_6E65_2022) | (window.word(end &- 8) ^ 0x223D_6574_6144_646E)
            | (window.word(value &- 9) ^ 0x3D65_756C_6176_2022)
        guard names == 0, window[value &- 1] == 0x22,
            Self.faults(window, creation) | Self.faults(window, start) | Self.faults(window, end) == 0
        else { return nil }
        let quote = window.endOfValue(from: value, quote: 0x22)
        guard window[quote] == 0x22, let tagEnd = Self.tagEnd(window, quote &+ 1) else { return nil }
        startDate = ByteRange(start: start, end: start &+ Self.dateLength)
        endDate = ByteRange(start: end, end: end &+ Self.dateLength)
        self.value = ByteRange(start: value, end: quote)
        self.end = tagEnd
    }

    /// Returns 0 if the bytes at `start` have digits and separators where a date `yyyy-MM-dd HH:mm:ss ±HHMM` has them,
    /// and thus contain no quotes, references or control characters.
    @inline(__always)
    private static func faults(_ window: ByteWindow, _ start: Int) -> UInt64 {
        // Digits become 0 to 9 and set the high bit from 10 on; separators become 0 and set it from 1 on.
        let day = window.word(start) ^ 0x2D30_302D_3030_3030
        let hour = window.word(start &+ 8) ^ 0x3030_3A30_3020_3030
        // Two bits of the sign are masked, so that `+` and `-` both pass.
        let offset = (window.word(start &+ 17) ^ 0x3030_3030_2B20_3030) & ~0x0600_0000
        let colon = UInt64(window[start &+ 16] ^ 0x3A)
        let invalid =
            day | (day &+ 0x7F76_767F_7676_7676) | hour | (hour &+ 0x7676_7F76_767F_7676)
            | offset | (offset &+ 0x7676_7676_7F7F_7676)
        return (invalid & ByteWindow.highBits) | colon
    }

    @inline(__always)
    private static func tagEnd(_ window: ByteWindow, _ index: Int) -> TagEnd? {
        switch window.halfWord(index) {
        case 0x3E2F: TagEnd(next: index &+ 2, isEmptyElement: true)
        case let bytes where bytes & 0xFF == 0x3E: TagEnd(next: index &+ 1, isEmptyElement: false)
        default: nil
        }
    }
}
