/// A fingerprint of 32 bits of a sample's id. All bits of the id affect it, so ids that differ in a few bits, such as
/// counters, differ in their fingerprints as well. Together with the first 96 bits of the id it determines the id: it
/// is the last 32 bits, combined by exclusive or with a hash of the first 96.
package enum SampleFingerprint {
    /// Returns the fingerprint of `id`.
    package static func of(_ id: SampleID) -> UInt32 {
        UInt32(truncatingIfNeeded: id.low) ^ hash(id.high, UInt32(truncatingIfNeeded: id.low >> 32))
    }

    /// Returns the id that begins with the 96 bits `high` and `middle` and has this fingerprint.
    package static func id(high: UInt64, middle: UInt32, fingerprint: UInt32) -> SampleID {
        SampleID(high: high, low: UInt64(middle) << 32 | UInt64(fingerprint ^ hash(high, middle)))
    }

    private static func hash(_ high: UInt64, _ middle: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: SplitMix.mixed(high ^ SplitMix.mixed(UInt64(middle))))
    }
}
