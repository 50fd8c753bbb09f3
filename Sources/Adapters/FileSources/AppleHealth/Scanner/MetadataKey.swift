/// The keys of `MetadataEntry` that have a meaning here.
enum MetadataKey: String, CaseIterable {
    case timeZone = "HKTimeZone"
    case wasUserEntered = "HKWasUserEntered"
    case syncIdentifier = "HKMetadataKeySyncIdentifier"
    case syncVersion = "HKMetadataKeySyncVersion"
}
