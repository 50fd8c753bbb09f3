/// How results are written: for a person at a terminal with charts, else plainly.
package struct OutputStyle: Sendable, Hashable {
    /// Columns of the terminal; `nil` where results go to a file or another program, and any length will do.
    package let width: Int?
    /// Whether colours may be used.
    package let hasColor: Bool
    /// Whether the terminal shows more than ASCII.
    package let hasBlocks: Bool

    /// The plain style.
    package static let plain = OutputStyle(width: nil, hasColor: false, hasBlocks: false)

    /// A style with these parts.
    package init(width: Int?, hasColor: Bool, hasBlocks: Bool) {
        self.width = width
        self.hasColor = hasColor
        self.hasBlocks = hasBlocks
    }

    /// The style of a terminal of `width` columns, by the variables `NO_COLOR` (https://no-color.org), `TERM`,
    /// `LC_ALL`, `LC_CTYPE` and `LANG`.
    package init(terminalWidth width: Int, variables: [String: String]) {
        self.width = width
        hasColor = (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        hasBlocks = locale.lowercased().replacing("-", with: "").contains("utf8")
    }

    /// Whether there is a terminal to draw on.
    var hasCharts: Bool { width != nil }

    /// `text` in a colour of the terminal's 256, where colours may be used.
    func colored(_ text: String, _ color: UInt8) -> String {
        hasColor && !text.isEmpty ? "\u{1B}[38;5;\(color)m\(text)\u{1B}[0m" : text
    }

    /// The room for a chart beside `used` columns and a gap; `nil` when there is too little of it or no terminal.
    func chartRoom(beside used: Int) -> Int? {
        guard let width else { return nil }
        let room = min(width - used - 2, 60)
        return room >= 8 ? room : nil
    }
}
