/// The common metadata of a record from its `MetadataEntry` children.
struct RecordMetadata {
    /// `HKWasUserEntered`.
    var isUserEntered = false
    /// The index of `HKTimeZone` in the tables plus 1, or 0 for none.
    var zone: UInt16 = 0
}
