import HealthSyncDomain

/// The ids of a page in two columns: `id_heads` contains the first 12 bytes of each id, and `fingerprints` 4 bytes from
/// which, together with the head, its last bytes follow. A server finds out which ids are new from the fingerprints
/// alone.
struct SplitIDs {
    static let headSize = 12
    static let fingerprintSize = 4

    let heads: [UInt8]
    let fingerprints: [UInt8]

    init(_ ids: [SampleID]) {
        var heads: [UInt8] = []
        var fingerprints: [UInt8] = []
        heads.reserveCapacity(ids.count * Self.headSize)
        fingerprints.reserveCapacity(ids.count * Self.fingerprintSize)
        for id in ids {
            heads.append(bigEndian: id.high)
            heads.append(bigEndian: UInt32(truncatingIfNeeded: id.low >> 32))
            fingerprints.append(bigEndian: SampleFingerprint.of(id))
        }
        self.heads = heads
        self.fingerprints = fingerprints
    }

    /// - Throws: `DamagedPage` if the columns do not have the same number of ids.
    init(heads: [UInt8], fingerprints: [UInt8]) throws(DamagedPage) {
        guard heads.count % Self.headSize == 0, fingerprints.count % Self.fingerprintSize == 0,
            heads.count / Self.headSize == fingerprints.count / Self.fingerprintSize
        else { throw DamagedPage() }
        self.heads = heads
        self.fingerprints = fingerprints
    }

    var count: Int { fingerprints.count / Self.fingerprintSize }

    /// Returns the id at `index`.
    subscript(index: Int) -> SampleID {
        SampleFingerprint.id(
            high: heads.bigEndianNumber(at: index * Self.headSize),
            middle: heads.bigEndianNumber(at: index * Self.headSize + 8),
            fingerprint: fingerprints.bigEndianNumber(at: index * Self.fingerprintSize))
    }

    var ids: [SampleID] { (0..<count).map { self[$0] } }
}

extension [UInt8] {
    /// Returns the number whose first byte is at `offset`.
    func bigEndianNumber<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
        unsafe withUnsafeBytes { unsafe Number(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
}
