import HealthSyncPorts

/// A QR code as lines of text, two rows of modules a line.
enum QRCodeText {
    /// The light modules around a code (ISO/IEC 18004 requires four).
    static let quietZone = 4

    /// Returns the lines. Light modules are drawn, because most terminals are dark; with colors, a code looks the same on
    /// a light terminal. Without colors it is inverted there, and most cameras read it.
    static func lines(of code: QRCode, hasColor: Bool) -> [String] {
        let range = -quietZone..<(code.size + quietZone)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let blocks = range.map { column in
                let isLowerDark = row + 1 < range.upperBound && code.isDark(row: row + 1, column: column)
                return switch (code.isDark(row: row, column: column), isLowerDark) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }.joined()
            // White on black of the 256 colors, which themes do not change.
            return hasColor ? "\u{1B}[38;5;231;48;5;16m\(blocks)\u{1B}[0m" : blocks
        }
    }
}
