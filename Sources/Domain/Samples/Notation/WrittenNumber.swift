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
