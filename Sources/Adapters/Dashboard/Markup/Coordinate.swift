/// Numbers in drawings.
enum Coordinate {
    /// Returns the number with at most two decimals; 0 if it is not finite.
    static func text(_ number: Double) -> String {
        guard number.isFinite, number.magnitude < 1e9 else { return "0" }
        let hundredths = Int((number * 100).rounded())
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return rest % 10 == 0 ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
