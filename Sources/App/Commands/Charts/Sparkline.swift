/// A column a value, from the smallest at the bottom to the greatest at the top; a dot where nothing was measured.
package enum Sparkline {
    /// The line of `values` on a scale from `floor`, or from the smallest of them.
    package static func line(_ values: [Double?], from floor: Double? = nil, style: OutputStyle) -> String {
        let known = values.compactMap { $0 }
        guard let low = floor ?? known.min(), let high = known.max() else { return "" }
        let steps = style.hasBlocks ? Self.blocks : Self.digits
        let columns = values.map { value -> Character in
            guard let value else { return style.hasBlocks ? "·" : "." }
            guard high > low else { return steps[steps.count / 2] }
            let share = (value - low) / (high - low)
            return steps[min(steps.count - 1, max(0, Int(share * Double(steps.count))))]
        }
        return style.colored(String(columns), 37)
    }

    private static let blocks = Array("▁▂▃▄▅▆▇█")
    private static let digits = Array("_.-=+*#@")
}
