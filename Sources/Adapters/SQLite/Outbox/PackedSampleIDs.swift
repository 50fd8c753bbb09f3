import HealthSyncDomain

/// Sample ids packed as 16 bytes each.
enum PackedSampleIDs {
    static func bytes(of ids: [SampleID]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ids.count * 16)
        for id in ids { append(id, to: &bytes) }
        return bytes
    }

    static func ids(from bytes: [UInt8]) -> [SampleID]? {
        guard bytes.count % 16 == 0 else { return nil }
        return (0..<bytes.count / 16).map { id(in: bytes, at: $0 * 16) }
    }

    /// Packs the ids of several items: for each item the number of ids as four bytes, little-endian, followed by the
    /// ids.
    static func bytes(ofItems items: [[SampleID]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.reduce(0) { $0 + 4 + $1.count * 16 })
        for ids in items {
            for shift in [0, 8, 16, 24] as [UInt32] {
                bytes.append(UInt8(truncatingIfNeeded: UInt32(ids.count) >> shift))
            }
            for id in ids { append(id, to: &bytes) }
        }
        return bytes
    }

    static func items(from bytes: [UInt8]) -> [[SampleID]]? {
        var items: [[SampleID]] = []
        var place = 0
        while place < bytes.count {
            guard bytes.count - place >= 4 else { return nil }
            let count = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) }
            place += 4
            guard (bytes.count - place) / 16 >= count else { return nil }
            items.append((0..<count).map { id(in: bytes, at: place + $0 * 16) })
            place += count * 16
        }
        return items
    }

    private static func append(_ id: SampleID, to bytes: inout [UInt8]) {
        for word in [id.high, id.low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
    }

    private static func id(in bytes: [UInt8], at place: Int) -> SampleID {
        var words: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 {
            words.0 = words.0 << 8 | UInt64(bytes[place + index])
            words.1 = words.1 << 8 | UInt64(bytes[place + 8 + index])
        }
        return SampleID(high: words.0, low: words.1)
    }
}
