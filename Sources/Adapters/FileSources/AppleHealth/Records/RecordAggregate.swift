/// What stands behind the value of an hourly aggregate, as the oldest exports have them.
struct RecordAggregate {
    /// Smallest measurement, in the canonical unit.
    var minimum: Double?
    /// Largest measurement, in the canonical unit.
    var maximum: Double?
    /// Number of measurements.
    var measurementCount: Int?
}
