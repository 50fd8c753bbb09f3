import HealthSyncDomain

/// A decoded record that is not yet in the batch.
struct RecordRow {
    /// The index of the type in the tables.
    var type: UInt16 = 0
    /// The number of the source's name.
    var source: Int32 = 0
    /// The number of the device's stable part.
    var device: Int32 = 0
    /// Milliseconds since 1970.
    var start: Int64 = 0
    /// Milliseconds.
    var duration: Int64 = 0
    /// In the canonical unit.
    var value: Double = 0
    /// How the value is written.
    var written = WrittenValue.unknown
    /// The aggregate behind the value, if there is one.
    var aggregate: RecordAggregate?
    /// The tolerated faults.
    var faults: AttributeFaults = []
}
