/// How exactly a source states a value.
package struct ValuePrecision: Hashable, Sendable {
    /// The significant digits that Apple Health exports keep.
    package static let exportDigits = 6
    /// Half of the sixth significant digit, as a part of the value, whatever the unit: of an export that an earlier
    /// version stored, only the converted value is known.
    package static let unknownExportHalf = 5e-6
    /// The relative error of converting units.
    package static let conversionNoise = 1e-9

    /// Half of the last digit that the source keeps, in the canonical unit; 0 for a full double.
    package var half: Double
    /// The unit of the source; `nil` if it is unknown.
    package var unit: UnitConversion?

    package init(half: Double, unit: UnitConversion?) {
        self.half = half
        self.unit = unit
    }

    /// Returns half of the last digit that two values share: the larger half in one unit, the sum in two units.
    fileprivate func combinedHalf(with other: ValuePrecision) -> Double {
        if let unit, unit == other.unit { return max(half, other.half) }
        return half + other.half
    }

    /// Returns the precision of `value`, in the canonical unit, that was written in `notation` with `scale`.
    init(of value: Double, notation: ValueNotation, scale: Int8) {
        unit = notation.conversion
        let factor = notation.conversion.factor
        guard scale != WrittenValue.full else {
            half = 0
            return
        }
        var place = -Int(scale)
        if notation.dropsZeros {
            // The integer is computed and not the logarithm, which is wrong just below a power of ten.
            let integer = ((value - notation.conversion.offset) / factor * DecimalPlaces.power(Int(scale))).rounded()
            guard integer != 0 else {
                half = 0
                return
            }
            place = min(place, place + DecimalPlaces.count(of: integer.magnitude) - Self.exportDigits)
        }
        half = DecimalPlaces.power(place) / 2 * factor.magnitude
    }
}

extension SampleColumns {
    /// Returns how exactly the value at `row` is stated. Of a value whose form is unknown, an export keeps six
    /// significant digits in an unknown unit; another input keeps the digits of the shortest text.
    func precision(_ row: Int, isExport: Bool) -> ValuePrecision {
        if !written.isEmpty, written[row].notation > 0 {
            return ValuePrecision(
                of: values[row], notation: notations[Int(written[row].notation) - 1], scale: written[row].scale)
        }
        let value = values[row]
        if isExport { return ValuePrecision(half: value.magnitude * ValuePrecision.unknownExportHalf, unit: nil) }
        return ValuePrecision(
            half: DecimalPlaces.power(-DecimalPlaces.decimals(of: value)) / 2, unit: UnitConversion(factor: 1))
    }
}

/// Compares values that two sources state, each with its own unit and digits.
package enum ValueAgreement {
    /// Returns whether two values, in the canonical unit of their type, may be one measurement:
    /// |left − right| ≤ h + 10⁻⁹ · |left|, where h is half of the last digit that both keep.
    package static func agree(
        _ left: Double, _ leftPrecision: ValuePrecision, _ right: Double, _ rightPrecision: ValuePrecision
    ) -> Bool {
        if left == right { return true }
        let noise = max(left.magnitude, right.magnitude) * ValuePrecision.conversionNoise
        return (left - right).magnitude <= leftPrecision.combinedHalf(with: rightPrecision) + noise
    }
}
