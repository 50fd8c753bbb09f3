/// A location in a text file as editors show it: line and column from 1, columns in characters.
struct TextLocation: Sendable, Hashable, CustomStringConvertible {
    let line: Int
    let column: Int

    /// Creates the location of the byte at `offset` in a UTF-8 text. Lines end with LF, CR LF or CR.
    init(offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        var line = 1
        var lineStart = before.startIndex
        for (index, byte) in before.enumerated() {
            let endsLine = byte == 0x0A || (byte == 0x0D && bytes[(index + 1)...].first != 0x0A)
            guard endsLine else { continue }
            line += 1
            lineStart = index + 1
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = before[lineStart...].dropFirst(line == 1 && bytes.starts(with: mark) ? mark.count : 0)
        self.line = line
        column = String(decoding: text, as: UTF8.self).count + 1
    }

    /// `3:11`
    var description: String { "\(line):\(column)" }
}
