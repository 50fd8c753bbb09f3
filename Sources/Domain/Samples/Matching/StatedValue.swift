/// The value of a sample, and how exactly its source states it.
struct StatedValue {
    let member: SourceMatching.Member
    let value: Double
    let precision: ValuePrecision

    /// Returns whether both may be the value of one measurement.
    func agrees(with other: StatedValue) -> Bool {
        ValueAgreement.agree(value, precision, other.value, other.precision)
    }

    func distance(to other: StatedValue) -> Double { (value - other.value).magnitude }
}
