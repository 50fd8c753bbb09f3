/// A decoded record on its way into the batch.
struct RecordRow {
    /// Index of the type in the tables.
    var type: UInt16
    /// Number of the source's name.
    var source: Int32
    /// Number of the device's stable part.
    var device: Int32
    /// Milliseconds since 1970.
    var start: Int64
    /// Milliseconds.
    var duration: Int64
    /// In the canonical unit.
    var value: Double
    /// Smallest measurement behind the value.
    var minimum: Double?
    /// Largest measurement behind the value.
    var maximum: Double?
    /// Number of measurements behind the value.
    var measurementCount: Int?
    /// Liberties taken to read it.
    var faults: AttributeFaults
}
