/// The checksum of one derived record: `ContentFold` over id, revision and the values of its kind, in a fixed order.
package enum RecordContent {
    /// Returns the fold of id and revision, which begins every record. A tombstone has nothing else.
    package static func fold(id: String, revision: Int64) -> ContentFold {
        var fold = ContentFold()
        fold.add(id)
        fold.add(revision)
        return fold
    }

    /// Returns the checksum of the tombstone of `id`.
    package static func tombstone(id: String, revision: Int) -> UInt64 {
        fold(id: id, revision: Int64(revision)).state
    }

    /// Adds the values of an entry of a metric.
    package static func add(
        type: String?, granularity: String?, day: String?, start: String?, figures: ProgressValues, unit: String?,
        to fold: inout ContentFold
    ) {
        for text in [type, granularity, day, start] { fold.add(text) }
        for number in [figures.quantity, figures.minimum, figures.maximum, figures.count, figures.held] {
            fold.add(number)
        }
        fold.add(unit)
    }

    /// The numbers of an entry as they are sent.
    package struct ProgressValues: Sendable {
        package var quantity: Double?
        package var minimum: Double?
        package var maximum: Double?
        package var count: Double?
        /// Milliseconds during which measurements held.
        package var held: Double?

        package init(quantity: Double?, minimum: Double?, maximum: Double?, count: Double?, held: Double?) {
            self.quantity = quantity
            self.minimum = minimum
            self.maximum = maximum
            self.count = count
            self.held = held
        }
    }
}
