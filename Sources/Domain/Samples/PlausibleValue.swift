/// The plausible values of a sample, −2^53 to 2^53 in the unit of its type.
///
/// No measured value is larger, and sums of any number of such values are finite.
package enum PlausibleValue {
    /// Returns whether `value` is finite and within these bounds.
    @inlinable
    package static func contains(_ value: Double) -> Bool { value.magnitude <= 0x1p53 }

    /// Returns whether `value` is missing or plausible.
    package static func contains(_ value: Double?) -> Bool { value.map { contains($0) } ?? true }
}
