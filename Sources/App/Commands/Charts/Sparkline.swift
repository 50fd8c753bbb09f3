/// One character per value, from low to high; a dot for a missing value.
package enum Sparkline {
    /// Returns the line of `values` on a scale that begins at `floor`, or at the smallest value.
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
        return style.colored(String(columns), .bar)
    }

    private static let blocks = Array("▁▂▃▄▅▆▇█")
    private static let digits = Array("_.-=+*#@")
}
