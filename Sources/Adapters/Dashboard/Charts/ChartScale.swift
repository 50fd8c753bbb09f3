/// The vertical axis of a chart: round numbers from a lowest to a highest one.
struct ChartScale {
    let low: Double
    let high: Double
    /// Where lines are drawn, ascending; the first is `low`, the last `high`.
    let marks: [Double]

    /// A scale for `values`, from 0 where `fromZero`, else from a round number below the least.
    init(values: [Double], fromZero: Bool = true) {
        let finite = values.filter(\.isFinite)
        let top = max(finite.max() ?? 0, fromZero ? 1 : 0)
        let bottom = fromZero ? 0 : finite.min() ?? 0
        let step = Self.step(for: max(top - bottom, 1e-9) / 4)
        low = fromZero ? 0 : (bottom / step).rounded(.down) * step
        let count = max(1, Int(((top - low) / step).rounded(.up)))
        high = low + Double(count) * step
        let first = low
        marks = (0...count).map { first + Double($0) * step }
    }

    /// The least of 1, 2, 2.5 and 5 times a power of ten that is not below `rough`.
    private static func step(for rough: Double) -> Double {
        var power = 1.0
        while power * 10 <= rough { power *= 10 }
        while power > rough { power /= 10 }
        return [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= rough } ?? power * 10
    }

    /// How far up a value stands, 0 to 1.
    func share(_ value: Double) -> Double { min(1, max(0, (value - low) / (high - low))) }
}
