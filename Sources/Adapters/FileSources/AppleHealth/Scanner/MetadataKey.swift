/// The interpreted keys of `MetadataEntry`.
enum MetadataKey: String, CaseIterable {
    case timeZone = "HKTimeZone"
    case wasUserEntered = "HKWasUserEntered"
    case syncIdentifier = "HKMetadataKeySyncIdentifier"
    case syncVersion = "HKMetadataKeySyncVersion"
}
