/// A decoded record on its way into the batch.
struct RecordRow {
    /// Index of the type in the tables.
    var type: UInt16 = 0
    /// Number of the source's name.
    var source: Int32 = 0
    /// Number of the device's stable part.
    var device: Int32 = 0
    /// Milliseconds since 1970.
    var start: Int64 = 0
    /// Milliseconds.
    var duration: Int64 = 0
    /// In the canonical unit.
    var value: Double = 0
    /// What stands behind the value where that is an aggregate.
    var aggregate: RecordAggregate?
    /// Liberties taken to read it.
    var faults: AttributeFaults = []
}
