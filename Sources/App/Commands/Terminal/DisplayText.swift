/// Text in the columns of a terminal.
package enum DisplayText {
    /// Returns the width of `text` in columns: two for East Asian wide characters and emoji, none for combining ones.
    package static func width(_ text: String) -> Int {
        let scalars = text.unicodeScalars
        return scalars.allSatisfy(isSingleColumn) ? scalars.count : text.reduce(0) { $0 + width($1) }
    }

    /// Returns `text` truncated to `columns`, with an ellipsis if anything was removed.
    package static func fitted(_ text: String, columns: Int) -> String {
        guard width(text) > columns else { return text }
        var kept = ""
        var used = 0
        for character in text {
            used += width(character)
            guard used < columns else { break }
            kept.append(character)
        }
        return columns > 0 ? kept + "…" : ""
    }

    /// Returns `text` padded with trailing spaces to `columns`.
    package static func padded(_ text: String, columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// Returns whether `scalar` takes one column and never combines with others: Latin letters, common quotes and dashes.
    private static func isSingleColumn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD: false  // soft hyphen
        case 0..<0x300, 0x2010...0x2027: true
        default: false
        }
    }

    private static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first(where: { !isCombining($0) }) else { return 0 }
        let isFlag = scalars.count > 1 && (0x1F1E6...0x1F1FF).contains(first.value)
        let isEmoji = first.properties.isEmoji && scalars.contains("\u{FE0F}")
        return isFlag || isEmoji || isWide(first) ? 2 : 1
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x1100 { return false }
        if scalar.properties.isEmojiPresentation { return !(0x1F1E6...0x1F1FF).contains(scalar.value) }
        return wideRanges.contains { $0.contains(scalar.value) }
    }

    /// East_Asian_Width W and F (Unicode Standard Annex 11), without emoji.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

extension DisplayText {
    /// Returns the lines of `text`, broken between words so that they fit into `columns`. A word that is longer has a line
    /// of its own and is not broken, so that paths and identifiers can be copied. Does not break lines if `columns` is
    /// `nil`.
    package static func wrapped(_ text: String, columns: Int?) -> [String] {
        guard let columns, width(text) > columns else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, width(line) + 1 + width(String(word)) > columns {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [line]
    }

    /// Returns the lines of `text` like `wrapped`, with the indentation of `text`, and two columns more from the second
    /// line on.
    static func indented(_ text: String, columns: Int?) -> [String] {
        guard let columns, width(text) > columns else { return [text] }
        let own = text.prefix { $0 == " " }.count
        let lines = wrapped(String(text.dropFirst(own)), columns: max(1, columns - own - 2))
        return lines.enumerated().map { index, line in
            String(repeating: " ", count: own + (index == 0 ? 0 : 2)) + line
        }
    }

    /// Returns the width of the longest word of `text`.
    static func longestWord(_ text: String) -> Int {
        text.split(separator: " ").map { width(String($0)) }.max() ?? 0
    }
}
