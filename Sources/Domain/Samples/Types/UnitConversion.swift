/// The conversion of a value to another unit: `value * factor + offset`.
public struct UnitConversion: Hashable, Sendable {
    /// The factor.
    public let factor: Double
    /// The offset, in the target unit, added after the multiplication. It is 0 except between temperature scales.
    public let offset: Double

    /// Creates the conversion `value * factor + offset`.
    public init(factor: Double, offset: Double = 0) {
        self.factor = factor
        self.offset = offset
    }

    /// Returns the converted value.
    @inlinable
    public func callAsFunction(_ value: Double) -> Double { value * factor + offset }
}
