/// A QR code: a square of modules.
package struct QRCode: Sendable, Hashable {
    /// The number of modules of a side, without the quiet zone.
    package let size: Int
    /// Whether each module is dark, row by row.
    package let isDark: [Bool]

    /// A code of `size` × `size` modules.
    package init(size: Int, isDark: [Bool]) {
        self.size = size
        self.isDark = isDark
    }

    /// Whether the module is dark. Modules outside the code are light.
    package func isDark(row: Int, column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        let index = row * size + column
        return isDark.indices.contains(index) && isDark[index]
    }
}

/// Encodes texts as QR codes (ISO/IEC 18004).
package protocol QRCodeEncoder: Sendable {
    /// Returns the smallest code of `text`, with error correction level L; `nil` if the text is too long for any.
    func code(of text: String) -> QRCode?
}
