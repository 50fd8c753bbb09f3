/// Horizontal bars on one scale that begins at 0.
package struct BarChart: Sendable {
    private let greatest: Double
    private let room: Int
    private let style: OutputStyle

    /// Bars of `values`, at most `room` columns wide.
    package init(of values: [Double], room: Int, style: OutputStyle) {
        greatest = values.max() ?? 0
        self.room = room
        self.style = style
    }

    /// Returns the bar of `value`: its length is proportional to the greatest value, to an eighth of a column; empty
    /// for 0.
    package func bar(_ value: Double) -> String {
        guard greatest > 0, value > 0 else { return "" }
        let eighths = max(1, Int((value / greatest * Double(room * 8)).rounded()))
        guard style.hasBlocks else { return style.colored(String(repeating: "#", count: (eighths + 7) / 8), .bar) }
        let rest = eighths % 8
        return style.colored(String(repeating: "█", count: eighths / 8) + (rest > 0 ? Self.parts[rest - 1] : ""), .bar)
    }

    private static let parts = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
