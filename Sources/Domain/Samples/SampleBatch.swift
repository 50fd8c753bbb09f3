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
