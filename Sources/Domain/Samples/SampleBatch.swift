/// A stretch of samples as a source delivers them: mixed types and origins, as columns.
///
/// `types`, `origins` and `zones` are indices into `tables`, which only ever grows during one reading, so an index
/// keeps its meaning from batch to batch.
public struct SampleBatch: Sendable {
    /// What the indices of a batch mean.
    public struct Tables: Sendable {
        /// Types met so far, with the unit their values are in.
        public var types: [SampleTypeDefinition] = []
        /// Origins met so far.
        public var origins: [SampleOrigin] = []
        /// IANA names of zones met so far; a row's zone is one more than the index here, 0 for none.
        public var zoneNames: [String] = []

        /// Empty tables.
        public init() {}
    }

    /// What the indices mean.
    public var tables: Tables
    /// Index of each sample's type.
    public var types: [UInt16] = []
    /// Index of each sample's origin.
    public var origins: [UInt32] = []
    /// Start instants, milliseconds since 1970.
    public var starts: [Int64] = []
    /// Lengths in milliseconds, never negative.
    public var durations: [Int64] = []
    /// Values in the canonical unit, finite.
    public var values: [Double] = []
    /// For each sample 0 or one more than the index of the zone it states.
    public var zones: [UInt16] = []
    /// What only few samples carry, by row.
    public var details: [Int: SampleDetail] = [:]

    /// How much of its source lies behind the reader, 0 to 1, for a progress bar; `nil` where it cannot tell.
    public var shareRead: Double?

    /// An empty batch.
    public init(tables: Tables = Tables()) { self.tables = tables }

    /// Number of samples.
    @inlinable public var count: Int { starts.count }

    /// Forgets the samples and keeps the room and the tables.
    public mutating func removeAll() {
        types.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        durations.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        zones.removeAll(keepingCapacity: true)
        details.removeAll()
    }
}
