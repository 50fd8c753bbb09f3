/// What the `MetadataEntry` children of a record say of it, as far as many records have it.
struct RecordMetadata {
    /// `HKWasUserEntered`.
    var isUserEntered = false
    /// One more than the index of `HKTimeZone` in the tables, 0 for none.
    var zone: UInt16 = 0
}
