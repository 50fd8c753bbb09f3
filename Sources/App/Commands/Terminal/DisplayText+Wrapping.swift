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
}
