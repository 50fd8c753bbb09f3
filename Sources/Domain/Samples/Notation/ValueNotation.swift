/// How a source writes values: the unit, and how many digits it keeps.
///
/// Two inputs may state one measurement in different units and with different numbers of digits. Their values agree only
/// to the digits that both keep (`ValuePrecision`).
package struct ValueNotation: Hashable, Sendable {
    /// The unit as the source spells it; empty for the canonical unit of the type.
    package let unit: String
    /// The conversion of the written number to the canonical unit.
    package let conversion: UnitConversion
    /// Whether the source keeps six significant digits and drops the zeros at their end, as Apple Health exports do. A
    /// number with more digits keeps all of them.
    package let dropsZeros: Bool

    /// Creates a notation. The name of the canonical unit is left out.
    package init(unit: String, conversion: UnitConversion, dropsZeros: Bool, canonicalUnit: String = "") {
        let isCanonical = unit == canonicalUnit && conversion == UnitConversion(factor: 1)
        self.unit = isCanonical ? "" : unit
        self.conversion = conversion
        self.dropsZeros = dropsZeros
    }

    /// The notation of an Apple Health export in the canonical unit.
    package static let exportCanonical = ValueNotation(
        unit: "", conversion: UnitConversion(factor: 1), dropsZeros: true)
    /// The notation of a feed in the canonical unit.
    package static let feedCanonical = ValueNotation(
        unit: "", conversion: UnitConversion(factor: 1), dropsZeros: false)

    /// A key of a complete order.
    var orderingKey: (ExactText, Double, Double, Int) {
        (ExactText(unit), conversion.factor, conversion.offset, dropsZeros ? 1 : 0)
    }
}
