package import HealthSyncDomain

/// Cryptographic hashes, by a library.
///
/// Contract: pure functions; safe from any thread.
package protocol ContentHasher: Sendable {
    /// The first 16 of the 20 bytes of SHA-1; only for UUID version 5 (RFC 9562, section 5.5), which asks for it.
    func sha1Prefix(_ bytes: UnsafeRawBufferPointer) -> ContentDigest
    /// The first 16 bytes of SHA-256: tells whether contents are equal.
    func digest(_ bytes: UnsafeRawBufferPointer) -> ContentDigest
}

extension ContentHasher {
    /// The digest of `bytes`.
    package func digest(_ bytes: [UInt8]) -> ContentDigest { bytes.withUnsafeBytes { digest($0) } }
    /// The digest of the UTF-8 of `text`.
    package func digest(_ text: String) -> ContentDigest { digest(Array(text.utf8)) }

    /// The id of a sample: the UUID that its source gave it, else a UUID version 5 over what the sample says, or over
    /// the source's own identifier where that is no UUID.
    package func sampleID(
        type: SampleType, interval: InstantRange, value: Double, unit: String, origin: SampleOrigin, externalID: String?
    ) -> SampleID {
        if let externalID, let stated = SampleID(externalID) { return stated }
        let bytes = SampleID.hashedBytes(
            type: type, interval: interval, value: value, unit: unit, origin: origin, externalID: externalID)
        return SampleID(version5: bytes.withUnsafeBytes { sha1Prefix($0) })
    }

    /// The ids of all samples of `columns`, in their order, as `sampleID` gives them.
    package func sampleIDs(
        of columns: SampleColumns, type: SampleType, unit: String, origin: SampleOrigin
    ) -> [SampleID] {
        var writer = SampleIDWriter(type: type, unit: unit, origin: origin)
        return (0..<columns.count).map { row in
            if let externalID = columns.details[row]?.externalID {
                return sampleID(
                    type: type, interval: columns.interval(row), value: columns.values[row], unit: unit, origin: origin,
                    externalID: externalID)
            }
            let start = columns.starts[row]
            writer.write(start: start, end: start + columns.durations[row], value: columns.values[row])
            return SampleID(version5: writer.bytes.withUnsafeBytes { sha1Prefix($0) })
        }
    }
}
