import HealthSyncDomain

/// What the `MetadataEntry` children of a record say of it, as far as it has a meaning here.
struct RecordMetadata {
    /// `HKWasUserEntered`.
    var isUserEntered = false
    /// One more than the index of `HKTimeZone` in the tables, 0 for none.
    var zone: UInt16 = 0
    /// `HKExternalUUID`.
    var externalUUID: String?
    /// `HKMetadataKeySyncIdentifier`.
    var syncIdentifier: String?
    /// `HKMetadataKeySyncVersion`.
    var syncVersion: Int64?

    /// The identity that the source gave: the sync identifier, to which the version belongs, before the UUID.
    var externalID: String? { syncIdentifier ?? externalUUID }

    /// Whether it says anything that only few samples carry.
    var hasDetail: Bool { syncIdentifier != nil || externalUUID != nil }
}
