/// The vertical axis of a chart, with marks at round numbers.
struct ChartScale {
    let low: Double
    let high: Double
    /// The marks, ascending; the first is `low`, the last `high`.
    let marks: [Double]

    /// Creates a scale for `values`, from 0 if `fromZero`, otherwise from a round number below the smallest. Marks are
    /// multiples of `unit`, so that no two of them have the same label; 0 for any.
    init(values: [Double], fromZero: Bool = true, unit: Double = 0) {
        let finite = values.filter(\.isFinite)
        let top = max(finite.max() ?? 0, fromZero ? (unit > 0 ? unit : 1) : 0)
        let bottom = fromZero ? 0 : finite.min() ?? 0
        // Numbers that differ by less than a billionth of their size count as one number.
        let least = max(1e-9, 1e-9 * max(top.magnitude, bottom.magnitude))
        let step = Self.step(for: max(top / 4 - bottom / 4, least / 4, unit), unit: unit)
        low = fromZero ? 0 : (bottom / step).rounded(.down) * step
        let count = Int(min(Self.mostSteps, max(1, (top / step - low / step).rounded(.up))))
        high = low + Double(count) * step
        let first = low
        marks = (0...count).map { first + Double($0) * step }
    }

    // Four steps fit between the least and the greatest number, and one more at each end that is between two marks.
    private static let mostSteps = 6.0

    /// Returns the smallest multiple of `unit` that is 1, 2, 2.5 or 5 times a power of ten and not below `rough`.
    private static func step(for rough: Double, unit: Double) -> Double {
        var power = 1.0
        while power * 10 <= rough { power *= 10 }
        while power > rough { power /= 10 }
        return [1, 2, 2.5, 5, 10].map { $0 * power }.first { step in
            step >= rough && (unit == 0 || (step / unit).rounded() == step / unit)
        } ?? power * 10
    }

    /// Returns the height of a value, from 0 to 1.
    func share(_ value: Double) -> Double { min(1, max(0, (value - low) / (high - low))) }
}
