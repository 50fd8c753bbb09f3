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
