package import HealthSyncDomain

/// Cryptographic hashes, provided by a library.
///
/// Contract: pure functions; safe to call from any thread.
package protocol ContentHasher: Sendable {
    /// Returns the first 16 of the 20 bytes of SHA-1. Only for version 5 UUIDs, which require it (RFC 9562, section
    /// 5.5).
    func sha1Prefix(_ bytes: UnsafeRawBufferPointer) -> ContentDigest
    /// Returns the first 16 bytes of SHA-256, to compare contents.
    func digest(_ bytes: UnsafeRawBufferPointer) -> ContentDigest
}

extension ContentHasher {
    /// Returns the digest of `bytes`.
    package func digest(_ bytes: [UInt8]) -> ContentDigest { bytes.withUnsafeBytes { digest($0) } }
    /// Returns the digest of the UTF-8 of `text`.
    package func digest(_ text: String) -> ContentDigest { digest(Array(text.utf8)) }

    /// Returns the digest of a page, which shows whether the page changed.
    package func pageDigest(of bytes: [UInt8], at key: SamplePageKey) -> ContentDigest {
        digest(digest(bytes).bytes + Array("\(key.type.rawValue)\u{1F}\(key.origin.canonicalText)".utf8))
    }

    /// Returns the id of a sample: the UUID assigned by its sender, otherwise a version 5 UUID of its content.
    package func sampleID(
        type: SampleType, interval: InstantRange, value: Double, unit: String, origin: SampleOrigin,
        detail: SampleDetail? = nil
    ) -> SampleID {
        if let stated = detail?.senderID { return stated }
        let bytes = SampleID.hashedBytes(type: type, interval: interval, value: value, unit: unit, origin: origin)
        return SampleID(version5: bytes.withUnsafeBytes { sha1Prefix($0) })
    }

    /// Returns the ids of all samples of `columns`, as `sampleID` computes them, or as schemas before 14 did.
    package func sampleIDs(
        of columns: SampleColumns, type: SampleType, unit: String, origin: SampleOrigin, asFormerly: Bool = false
    ) -> [SampleID] {
        var writer = SampleIDWriter(type: type, unit: unit, origin: origin)
        return (0..<columns.count).map { row in
            if let detail = columns.details[row] {
                if asFormerly, let externalID = detail.externalID {
                    return formerID(type: type, externalID: externalID)
                }
                if let stated = detail.senderID { return stated }
            }
            let start = columns.starts[row]
            writer.write(start: start, end: start + columns.durations[row], value: columns.values[row])
            return SampleID(version5: writer.bytes.withUnsafeBytes { sha1Prefix($0) })
        }
    }

    private func formerID(type: SampleType, externalID: String) -> SampleID {
        if let stated = SampleID(externalID) { return stated }
        let bytes = SampleID.formerHashedBytes(type: type, externalID: externalID)
        return SampleID(version5: bytes.withUnsafeBytes { sha1Prefix($0) })
    }
}
