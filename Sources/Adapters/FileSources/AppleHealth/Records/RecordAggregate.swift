/// The aggregate behind the value of an hourly record, as in the oldest exports.
struct RecordAggregate {
    /// The smallest measurement, in the canonical unit.
    var minimum: Double?
    /// The largest measurement, in the canonical unit.
    var maximum: Double?
    /// The number of measurements.
    var measurementCount: Int?
}
