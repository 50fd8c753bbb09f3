/// Bars from a minimum to a maximum with a mark at the mean, on one scale.
package struct RangeBar: Sendable {
    private let low: Double
    private let high: Double
    private let room: Int
    private let style: OutputStyle

    /// Bars within `low` to `high`, `room` columns wide.
    package init(from low: Double, to high: Double, room: Int, style: OutputStyle) {
        self.low = low
        self.high = high
        self.room = room
        self.style = style
    }

    /// Returns the bar from `minimum` to `maximum` with its mark at `mean`.
    package func bar(minimum: Double, mean: Double, maximum: Double) -> String {
        let (first, middle, last) = (column(minimum), column(mean), column(maximum))
        let line: [Character] = (first...max(first, last)).map { column in
            column == middle ? (style.hasBlocks ? "●" : "o") : (style.hasBlocks ? "─" : "-")
        }
        return String(repeating: " ", count: first) + style.colored(String(line), .range)
    }

    private func column(_ value: Double) -> Int {
        guard high > low else { return 0 }
        let share = min(1, max(0, (value - low) / (high - low)))
        return min(room - 1, Int(share * Double(room)))
    }
}
