/// What the `MetadataEntry` children of a record say of its identity. Few records have one, so its texts stay away from
/// what is written for every record.
struct RecordIdentity {
    /// `HKExternalUUID`.
    var externalUUID: String?
    /// `HKMetadataKeySyncIdentifier`.
    var syncIdentifier: String?
    /// `HKMetadataKeySyncVersion`.
    var syncVersion: Int64?

    /// The identity that the source gave: the sync identifier, to which the version belongs, before the UUID.
    var externalID: String? { syncIdentifier ?? externalUUID }
}
