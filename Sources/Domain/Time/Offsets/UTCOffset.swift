/// The text form of UTC offsets.
package enum UTCOffset {
    /// Returns `+05:30` for 19,800 seconds; seconds within a minute are truncated.
    package static func text(_ seconds: Int64) -> String {
        let minutes = Int(seconds.magnitude / 60)
        return (seconds < 0 ? "-" : "+") + CalendarDay.padded(minutes / 60, 2) + ":"
            + CalendarDay.padded(minutes % 60, 2)
    }

    /// Parses `+05:30` or `+0530` into seconds; `nil` for anything else.
    package static func seconds(_ text: some StringProtocol) -> Int64? {
        let bytes = Array(text.utf8.prefix(7))
        guard bytes.count == 5 || bytes.count == 6 && bytes[3] == UInt8(ascii: ":"),
            bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
        else { return nil }
        let digits = (bytes[1..<3] + bytes[(bytes.count - 2)...]).map { Int64($0) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hours < 24, minutes < 60 else { return nil }
        return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}

extension ZoneRules {
    /// Creates rules with the constant UTC offset of a sample without a zone, such as `+05:30`; `nil` for the name of
    /// a zone.
    package init?(statedOffset text: String) {
        guard let seconds = UTCOffset.seconds(text) else { return nil }
        self.init(identifier: text, transitions: [], offsets: [seconds])
    }
}
