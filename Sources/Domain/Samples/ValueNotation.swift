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

/// The decimal digits of numbers.
package enum DecimalPlaces {
    /// The powers of ten that a double represents exactly.
    package static let powers: [Double] = (0...mostDecimals).map { exponent in
        (0..<exponent).reduce(1.0) { power, _ in power * 10 }
    }
    /// The exponent of the last of `powers`.
    package static let mostDecimals = 22
    /// The integers up to this one have a double of their own: 2^53.
    package static let largestInteger = 0x1p53

    /// Returns 10^`exponent`, exactly for 0 to 22.
    static func power(_ exponent: Int) -> Double {
        if exponent < 0 { return 1 / power(-exponent) }
        return exponent <= mostDecimals ? powers[exponent] : powers[mostDecimals] * power(exponent - mostDecimals)
    }

    /// Returns the number of decimals in the shortest text that converts back to `value`; 0 for an integer.
    package static func decimals(of value: Double) -> Int {
        if value == value.rounded() { return 0 }
        return decimals(inText: value.description.utf8) ?? 0
    }

    /// Returns the number of decimals in the text of a number, negative for `1e3`; `nil` for an exponent that is no
    /// number.
    package static func decimals(inText text: some Collection<UInt8>) -> Int? {
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        let exponent = text.dropFirst(mantissa.count + 1)
        guard let power = exponent.isEmpty ? 0 : Int(String(decoding: exponent, as: UTF8.self)),
            power.magnitude < 1000
        else { return nil }
        return mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst().count - power
    }

    /// Returns the scale of a number with these decimals: `WrittenValue.full` if its digits do not fit into a double.
    package static func scale(of number: Double, decimals: Int) -> Int8 {
        guard (-mostDecimals...mostDecimals).contains(decimals), number.magnitude * power(decimals) < largestInteger
        else { return WrittenValue.full }
        return Int8(decimals)
    }

    /// Returns the number of digits of a positive integer below 2^53.
    static func count(of integer: Double) -> Int {
        var count = 1
        while count < powers.count, powers[count] <= integer { count += 1 }
        return count
    }
}

/// How the value of one sample is written: its notation, as a number in the table of its columns or batch, and the
/// decimals.
package struct WrittenValue: Hashable, Sendable, BitwiseCopyable {
    /// One more than the index of the notation; 0 if it is unknown.
    package var notation: UInt16
    /// The number of decimals, negative in exponent form: the written number is an integer × 10^−scale. `full` if it is
    /// a double with all of its digits.
    package var scale: Int8

    package init(notation: UInt16, scale: Int8) {
        self.notation = notation
        self.scale = scale
    }

    /// A value of unknown unit and digits, such as one that an earlier version stored.
    package static let unknown = WrittenValue(notation: 0, scale: 0)
    /// The scale of a number whose integer does not fit into the 53 bits of a double.
    package static let full: Int8 = .max
}

/// How the value of a sample is written: its notation and the decimals.
package struct WrittenNumber: Hashable, Sendable {
    /// Unit and digits.
    package var notation: ValueNotation
    /// The number of decimals; see `WrittenValue.scale`.
    package var scale: Int8

    package init(notation: ValueNotation, scale: Int8) {
        self.notation = notation
        self.scale = scale
    }

    /// Creates the form of `number`, which a source states in `unit`. `decimals` are those of the source's text; `nil`
    /// if only the number is known, of which the shortest text counts.
    package init(
        _ number: Double, decimals: Int?, unit: String, conversion: UnitConversion, canonicalUnit: String
    ) {
        notation = ValueNotation(
            unit: unit, conversion: conversion, dropsZeros: false, canonicalUnit: canonicalUnit)
        scale = DecimalPlaces.scale(of: number, decimals: decimals ?? DecimalPlaces.decimals(of: number))
    }
}
