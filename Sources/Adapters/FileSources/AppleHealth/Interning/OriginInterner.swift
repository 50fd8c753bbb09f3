import HealthSyncDomain

/// Assigns numbers to origins: source, device and whether the user entered the sample.
struct OriginInterner {
    private var indices: [UInt64: UInt32] = [:]
    private var lastKey = UInt64.max
    private var lastIndex: UInt32 = 0

    /// Returns the index of an origin in `tables`, adding it if it is new; `nil` beyond the limit.
    @inline(__always)
    mutating func index(
        source: Int32, device: Int32, isUserEntered: Bool, in tables: inout SampleBatch.Tables,
        make: () -> SampleOrigin
    ) -> UInt32? {
        // Numbers start at -2, which means none.
        let key = UInt64(UInt32(source &+ 2)) << 32 | UInt64(UInt32(device &+ 2)) << 1 | (isUserEntered ? 1 : 0)
        if key == lastKey { return lastIndex }
        guard let index = indices[key] ?? add(key, &tables, make) else { return nil }
        (lastKey, lastIndex) = (key, index)
        return index
    }

    private mutating func add(
        _ key: UInt64, _ tables: inout SampleBatch.Tables, _ make: () -> SampleOrigin
    ) -> UInt32? {
        guard tables.origins.count < TextTable.limit else { return nil }
        let index = UInt32(tables.origins.count)
        tables.origins.append(make())
        indices[key] = index
        return index
    }
}
