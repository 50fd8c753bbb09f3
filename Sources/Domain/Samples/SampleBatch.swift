/// A sequence of samples as a source delivers them: mixed types and origins, as columns.
///
/// `types`, `origins` and `zones` are indices into `tables`. The tables only grow during one reading, so an index
/// keeps its meaning from batch to batch.
public struct SampleBatch: Sendable {
    /// The tables that the indices of a batch refer to.
    public struct Tables: Sendable {
        /// Types found so far, with the unit of their values.
        public var types: [SampleTypeDefinition] = []
        /// Origins found so far.
        public var origins: [SampleOrigin] = []
        /// IANA names of the zones found so far. The zone of a row is one more than the index here, or 0 for none.
        public var zoneNames: [String] = []
        /// Notations of values found so far. The notation of a row is one more than the index here, or 0 if unknown.
        package var notations: [ValueNotation] = []

        /// Creates empty tables.
        public init() {}
    }

    /// The tables that the indices refer to.
    public var tables: Tables
    /// The index of each sample's type.
    public var types: [UInt16] = []
    /// The index of each sample's origin.
    public var origins: [UInt32] = []
    /// Start instants, milliseconds since 1970.
    public var starts: [Int64] = []
    /// Durations in milliseconds, never negative.
    public var durations: [Int64] = []
    /// Values in the canonical unit, finite.
    public var values: [Double] = []
    /// For each sample one more than the index of its zone, or 0 for none.
    public var zones: [UInt16] = []
    /// Details by row; only few samples have them.
    public var details: [Int: SampleDetail] = [:]

    /// How each value is written; empty if the source does not say.
    package var written: [WrittenValue] = []

    /// The position of the feed's delivery in `SourceReading.statements`; `nil` if the source has none.
    package var statement: Int?

    /// The fraction of the source that was read, 0 to 1, for a progress bar; `nil` if unknown.
    public var shareRead: Double?

    /// Creates an empty batch.
    public init(tables: Tables = Tables()) { self.tables = tables }

    /// The number of samples.
    @inlinable public var count: Int { starts.count }

    /// Removes all samples but keeps the capacity and the tables.
    public mutating func removeAll() {
        types.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        durations.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        zones.removeAll(keepingCapacity: true)
        written.removeAll(keepingCapacity: true)
        details.removeAll()
    }
}

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
