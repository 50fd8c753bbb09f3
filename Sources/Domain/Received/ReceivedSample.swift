/// A raw sample as a receiving server stores it, or a tombstone if `isDeleted`.
package struct ReceivedSample: Hashable, Sendable {
    package var id: SampleID
    package var start: Instant
    /// Never before `start`.
    package var end: Instant
    /// Finite; in the unit of the origin.
    package var value: Double
    /// Higher revisions replace lower ones; 0 by default.
    package var revision: Int64
    /// The index into the origins of the batch.
    package var origin: Int
    /// Whether this is a tombstone. Its times and value are then meaningless.
    package var isDeleted: Bool
    /// Whether the client writes the id in capital letters, as HealthKit does. Responses do the same.
    package var isUppercase: Bool

    package init(
        id: SampleID, start: Instant, end: Instant, value: Double, revision: Int64 = 0, origin: Int = 0,
        isDeleted: Bool = false, isUppercase: Bool = false
    ) {
        self.id = id
        self.start = start
        self.end = end
        self.value = value
        self.revision = revision
        self.origin = origin
        self.isDeleted = isDeleted
        self.isUppercase = isUppercase
    }

    /// Returns a tombstone that deletes `id` with `revision`.
    package static func tombstone(_ id: SampleID, revision: Int64) -> ReceivedSample {
        let never = Instant(milliseconds: 0)
        return ReceivedSample(id: id, start: never, end: never, value: 0, revision: revision, isDeleted: true)
    }

    /// The id as the client sent it.
    package var idText: String { isUppercase ? id.description.uppercased() : id.description }
}

/// Samples of one type and their origins.
package struct ReceivedSampleBatch: Hashable, Sendable {
    package var origins: [ReceivedOrigin]
    package var samples: [ReceivedSample]

    package init(origins: [ReceivedOrigin] = [], samples: [ReceivedSample] = []) {
        self.origins = origins
        self.samples = samples
    }

    /// Returns the origin of `sample`, one of `samples`; `nil` for a tombstone.
    package func origin(of sample: ReceivedSample) -> ReceivedOrigin? {
        origins.indices.contains(sample.origin) ? origins[sample.origin] : nil
    }
}

/// The origin of a received sample, as the client sent it. Its texts are compared by bytes, as in databases.
package struct ReceivedOrigin: Hashable, Sendable {
    /// `sourceBundleId`, such as `com.apple.health`; possibly empty.
    package var bundleID: String
    /// `sourceDeviceName`, such as `iPhone 15`; `nil` if unknown.
    package var deviceName: String?
    /// The unit of the values; `count` for steps.
    package var unit: String

    package init(bundleID: String, deviceName: String?, unit: String) {
        self.bundleID = bundleID
        self.deviceName = deviceName
        self.unit = unit
    }

    package static func == (left: ReceivedOrigin, right: ReceivedOrigin) -> Bool {
        left.bundleID.hasSameBytes(as: right.bundleID) && left.unit.hasSameBytes(as: right.unit)
            && left.deviceName.map { ExactText($0) } == right.deviceName.map { ExactText($0) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(bundleID))
        hasher.combine(deviceName.map { ExactText($0) })
        hasher.combine(ExactText(unit))
    }
}

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
