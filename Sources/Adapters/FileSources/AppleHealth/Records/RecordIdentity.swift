/// What the `MetadataEntry` children of a record say of its identity. Few records have one, so its texts stay away from
/// what is written for every record.
///
/// `HKExternalUUID` is not part of it: HealthKit does not enforce that it is unique, and apps stamp a whole session or
/// night with one.
struct RecordIdentity {
    /// `HKMetadataKeySyncIdentifier`.
    var syncIdentifier: String?
    /// `HKMetadataKeySyncVersion`.
    var syncVersion: Int64?

    /// Identifier and version, which HealthKit requires together; `nil` unless both are there.
    var versioned: (identifier: String, version: Int64)? {
        guard let syncIdentifier, let syncVersion else { return nil }
        return (syncIdentifier, syncVersion)
    }
}
