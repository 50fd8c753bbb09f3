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
