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
