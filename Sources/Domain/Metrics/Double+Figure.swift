extension Double {
    /// The number rounded to 12 significant digits, as figures are stored, shown and delivered.
    ///
    /// Binary sums and means of decimal fractions have errors in the 16th digit and print as 101.99999999999999. No
    /// measurement has 12 digits. Whole numbers, numbers outside 10^-9 to 10^12 and rounded numbers do not change.
    public var asFigure: Double {
        guard isFinite, self != rounded(), magnitude > 1e-9, magnitude < 1e12 else { return self }
        var digits = 11
        var bound = 1.0
        if magnitude >= 1 {
            while magnitude >= bound * 10 {
                bound *= 10
                digits -= 1
            }
        } else {
            while magnitude < bound {
                bound /= 10
                digits += 1
            }
        }
        // Powers of ten up to 22 and whole numbers below 10^13 are exact, so the quotient is the double nearest to the
        // decimal number.
        let scale = Self.powersOfTen[digits]
        return (self * scale).rounded() / scale
    }

    private static let powersOfTen: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
