/// Optional details of a sample in addition to start, duration and value.
public struct SampleDetail: Sendable, Hashable {
    /// An identifier from the source: `HKMetadataKeySyncIdentifier`, `externalID` or the uuid of a JSON line. Of
    /// several samples with the same type, source and identifier, the one with the highest `syncVersion` is kept.
    public var externalID: String?
    /// The version under `externalID` (`HKMetadataKeySyncVersion`); the uuid of a JSON line has none.
    public var syncVersion: Int64?
    /// The smallest measurement in an aggregated value, in the unit of the value.
    public var minimum: Double?
    /// The largest measurement in an aggregated value, in the unit of the value.
    public var maximum: Double?
    /// The number of measurements in an aggregated value.
    public var measurementCount: Int?
    /// Milliseconds spent in the state, if a feed gives a total instead of intervals (an aggregated night).
    public var stateMilliseconds: Int64?

    /// Creates a detail with these members.
    public init(
        externalID: String? = nil, syncVersion: Int64? = nil, minimum: Double? = nil, maximum: Double? = nil,
        measurementCount: Int? = nil, stateMilliseconds: Int64? = nil
    ) {
        self.externalID = externalID
        self.syncVersion = syncVersion
        self.minimum = minimum
        self.maximum = maximum
        self.measurementCount = measurementCount
        self.stateMilliseconds = stateMilliseconds
    }

    /// Whether the sample is of a feed without identifiers and has the version of its delivery, so that a later delivery may
    /// state it again.
    package var isRestated: Bool { externalID == nil && syncVersion != nil }

    /// The id that the sender assigned: a UUID without a version. It replaces the id derived from the content.
    public var senderID: SampleID? { syncVersion == nil ? externalID.flatMap { SampleID($0) } : nil }

    /// The version by which samples with the same identifier are compared on all days: 0 if the source has no versions;
    /// `nil` for a sample without an identifier, and for one with HealthKit's UUID, which never changes.
    package var comparedVersion: Int64? { externalID == nil || senderID != nil ? nil : syncVersion ?? 0 }
}
