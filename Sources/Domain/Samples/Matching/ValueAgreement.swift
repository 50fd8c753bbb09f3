/// Compares values of two inputs, one of which may have fewer decimals.
enum ValueAgreement {
    /// Returns whether `left` and `right` are equal to the precision of the one with fewer decimals.
    ///
    /// A relative difference of a billionth is tolerated as rounding in the conversion of units.
    static func agree(_ left: Double, _ right: Double) -> Bool {
        if left == right { return true }
        let difference = (left - right).magnitude
        let noise = max(left.magnitude, right.magnitude) * 1e-9
        guard difference < 1 else { return difference <= noise }
        var tolerance = 0.5
        for _ in 0..<min(decimals(of: left), decimals(of: right)) { tolerance /= 10 }
        return difference <= tolerance + noise
    }

    /// Returns the number of decimals in the shortest text that converts back to `value`.
    static func decimals(of value: Double) -> Int {
        if value == value.rounded() { return 0 }
        let text = value.description.utf8
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
        let exponent = Int(String(decoding: text.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let stated = fraction.elementsEqual([UInt8(ascii: "0")]) ? 0 : fraction.count
        return max(0, stated - exponent)
    }
}
