/// The identity of a record from its `MetadataEntry` children. Few records have one, so its strings are kept apart from
/// the data of every record.
///
/// `HKExternalUUID` is ignored: HealthKit does not enforce its uniqueness, and some apps give a whole session or night
/// the same one.
struct RecordIdentity {
    /// `HKMetadataKeySyncIdentifier`.
    var syncIdentifier: String?
    /// `HKMetadataKeySyncVersion`.
    var syncVersion: Int64?

    /// The identifier and version, which HealthKit requires together; `nil` unless both exist.
    var versioned: (identifier: String, version: Int64)? {
        guard let syncIdentifier, let syncVersion else { return nil }
        return (syncIdentifier, syncVersion)
    }
}
