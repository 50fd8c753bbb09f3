/// How a value in one unit becomes a value in another: `value * factor + offset`.
public struct UnitConversion: Hashable, Sendable {
    /// What the value is multiplied by.
    public let factor: Double
    /// What is added then; not 0 only between scales of temperature.
    public let offset: Double

    /// The conversion `value * factor + offset`.
    public init(factor: Double, offset: Double = 0) {
        self.factor = factor
        self.offset = offset
    }

    /// The converted value.
    @inlinable
    public func callAsFunction(_ value: Double) -> Double { value * factor + offset }
}
