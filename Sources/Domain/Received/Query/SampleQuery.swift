/// A query for stored samples.
package struct SampleQuery: Hashable, Sendable {
    package var user: UserName
    package var type: String
    /// Only samples that start at this instant or later.
    package var from: Instant?
    /// Only samples that start before this instant.
    package var until: Instant?
    /// Only samples after this position.
    package var after: Int64
    /// The maximum number of samples.
    package var limit: Int

    package init(
        user: UserName, type: String, from: Instant? = nil, until: Instant? = nil, after: Int64 = 0, limit: Int = 5_000
    ) {
        self.user = user
        self.type = type
        self.from = from
        self.until = until
        self.after = after
        self.limit = limit
    }
}
