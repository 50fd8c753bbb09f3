import HealthSyncDomain

/// The style of text results: with charts on a terminal, otherwise plain.
package struct OutputStyle: Sendable, Hashable {
    /// Width of the terminal in columns; `nil` (unlimited) if standard output is not a terminal.
    package let width: Int?
    /// Whether colors may be used.
    package let hasColor: Bool
    /// Whether the terminal displays more than ASCII.
    package let hasBlocks: Bool
    /// Whether the background of the terminal is light.
    package let isLight: Bool

    /// The options that commands in texts repeat; `nil` for none.
    var repeated: RepeatedOptions?

    /// The plain style.
    package static let plain = OutputStyle(width: nil, hasColor: false, hasBlocks: false)

    /// Creates a style.
    package init(width: Int?, hasColor: Bool, hasBlocks: Bool, isLight: Bool = false) {
        self.width = width
        self.hasColor = hasColor
        self.hasBlocks = hasBlocks
        self.isLight = isLight
    }

    /// Creates the style of a terminal of `width` columns from the variables `NO_COLOR` (https://no-color.org), `TERM`,
    /// `COLORFGBG`, which some terminals set to the numbers of their foreground and background colors, `LC_ALL`,
    /// `LC_CTYPE` and `LANG`.
    package init(terminalWidth width: Int, variables: [String: String]) {
        self.width = width
        hasColor = (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
        let background = variables["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
        isLight = background == 7 || background == 15
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        hasBlocks = locale.lowercased().replacing("-", with: "").contains("utf8")
    }

    /// Whether to draw charts.
    var hasCharts: Bool { width != nil }

    /// Returns `text` in a color of the palette, if colors may be used.
    func colored(_ text: String, _ color: Palette?) -> String {
        guard hasColor, let color, !text.isEmpty else { return text }
        return "\u{1B}[38;5;\(color.terminalColor(onLight: isLight))m\(text)\u{1B}[0m"
    }

    /// Returns `text` with control characters escaped, broken between words so that it fits the terminal. Further lines
    /// are indented by two columns more than the first.
    func wrapped(_ text: String, _ color: Palette? = nil) -> [String] {
        DisplayText.indented(UntrustedText.escaped(completed(text)), columns: width).map { colored($0, color) }
    }

    /// Returns `text` with the options that its commands need.
    func completed(_ text: String) -> String { repeated?.applied(to: text) ?? text }

    private static let narrowestChart = 8
    /// The ends of a wider bar are hard to compare.
    private static let widestChart = 160

    /// Returns the width left for a chart next to `used` columns and a gap; `nil` if it is too small or not a terminal.
    func chartWidth(beside used: Int) -> Int? {
        guard let width else { return nil }
        let room = min(width - used - 2, Self.widestChart)
        return room >= Self.narrowestChart ? room : nil
    }
}
