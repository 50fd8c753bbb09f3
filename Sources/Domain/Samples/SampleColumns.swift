/// Samples of one type and one origin as columns: one array a field instead of one value a sample, because ten years
/// are millions of samples and a column is read at the speed of memory.
///
/// The columns are as long as `starts`, except `zones`, which is empty while no sample states a zone.
public struct SampleColumns: Sendable, Hashable {
    /// Start instants, milliseconds since 1970.
    public var starts: [Int64] = []
    /// Lengths in milliseconds, never negative; 0 for a sample without length.
    public var durations: [Int64] = []
    /// Values in the canonical unit of the type, finite.
    public var values: [Double] = []
    /// For each sample 0 or one more than the index of its zone in `zoneNames`; empty when no sample states one.
    public var zones: [UInt16] = []
    /// IANA names of the zones that samples state (`HKTimeZone`), or the offset that the bucket of a feed states, such as
    /// `+05:30`; at most 65,535, of which a sample with yet another
    /// one states none.
    public var zoneNames: [String] = []
    /// What only few samples carry, by index.
    public var details: [Int: SampleDetail] = [:]

    /// No samples.
    public init() {}

    /// Number of samples.
    public var count: Int { starts.count }

    /// Whether there are none.
    public var isEmpty: Bool { starts.isEmpty }

    /// The interval of the sample at `index`.
    public func interval(_ index: Int) -> InstantRange {
        InstantRange(
            start: Instant(milliseconds: starts[index]), end: Instant(milliseconds: starts[index] + durations[index]))
    }

    /// The zone that the sample at `index` states.
    public func zoneName(_ index: Int) -> String? {
        guard !zones.isEmpty, zones[index] > 0 else { return nil }
        return zoneNames[Int(zones[index]) - 1]
    }

    /// Adds one sample behind the others.
    public mutating func append(
        start: Int64, duration: Int64, value: Double, zoneName: String? = nil, detail: SampleDetail? = nil
    ) {
        if let detail { details[starts.count] = detail }
        if let zoneName {
            if zones.isEmpty { zones = [UInt16](repeating: 0, count: starts.count) }
            zones.append(number(ofZone: zoneName))
        } else if !zones.isEmpty {
            zones.append(0)
        }
        starts.append(start)
        durations.append(duration)
        values.append(value)
    }

    /// Adds the samples of `other` behind these.
    public mutating func append(_ other: SampleColumns) {
        let offset = count
        if !other.zones.isEmpty || !zones.isEmpty {
            if zones.isEmpty { zones = [UInt16](repeating: 0, count: offset) }
            let mapped = other.zoneNames.map { number(ofZone: $0) }
            for row in 0..<other.count {
                zones.append(other.zones.isEmpty || other.zones[row] == 0 ? 0 : mapped[Int(other.zones[row]) - 1])
            }
        }
        for (row, detail) in other.details { details[offset + row] = detail }
        starts.append(contentsOf: other.starts)
        durations.append(contentsOf: other.durations)
        values.append(contentsOf: other.values)
    }

    /// The samples at `indices`, in that order.
    public func selecting(_ indices: [Int]) -> SampleColumns {
        var result = SampleColumns()
        result.starts = indices.map { starts[$0] }
        result.durations = indices.map { durations[$0] }
        result.values = indices.map { values[$0] }
        if !zones.isEmpty {
            result.zones = indices.map { zones[$0] }
            result.zoneNames = zoneNames
        }
        if !details.isEmpty {
            for (row, index) in indices.enumerated() { result.details[row] = details[index] }
        }
        return result
    }

    /// One more than the index of the zone; 0 when there is no room.
    private mutating func number(ofZone name: String) -> UInt16 {
        if let index = zoneNames.firstIndex(of: name) { return UInt16(index + 1) }
        guard zoneNames.count < Int(UInt16.max) else { return 0 }
        zoneNames.append(name)
        return UInt16(zoneNames.count)
    }
}

/// What a sample may carry beside start, length and value.
public struct SampleDetail: Sendable, Hashable {
    /// An identifier given by the source: `HKMetadataKeySyncIdentifier`, `externalID` or the uuid of a JSON line. Of the
    /// samples of one type, source and identifier the one with the highest `syncVersion` counts.
    public var externalID: String?
    /// Version under `externalID` (`HKMetadataKeySyncVersion`); the uuid of a JSON line has none.
    public var syncVersion: Int64?
    /// Smallest measurement behind an aggregated value.
    public var minimum: Double?
    /// Largest measurement behind an aggregated value.
    public var maximum: Double?
    /// Number of measurements behind an aggregated value.
    public var measurementCount: Int?
    /// Milliseconds spent in the state, where a feed states a sum and no stretches (an aggregated night).
    public var stateMilliseconds: Int64?

    /// A detail with these members.
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

    /// The id that the sender stated: a UUID without a version. It takes the place of the id made from the content.
    public var statedID: SampleID? { syncVersion == nil ? externalID.flatMap { SampleID($0) } : nil }
}
