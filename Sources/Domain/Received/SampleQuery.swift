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

/// A page of samples in the order in which they were stored.
package struct ReceivedSamplePage: Hashable, Sendable {
    package var batch: ReceivedSampleBatch
    /// The position of the last sample, where the next page continues; `nil` on the last page.
    package var next: Int64?

    package init(batch: ReceivedSampleBatch, next: Int64?) {
        self.batch = batch
        self.next = next
    }
}

/// The samples and records of a user by kind and type, without deleted ones.
package struct ReceivedInventory: Hashable, Sendable {
    /// Samples of one type.
    package struct Samples: Hashable, Sendable {
        package var type: String
        package var count: Int
        package var firstStart: Instant
        package var lastEnd: Instant

        package init(type: String, count: Int, firstStart: Instant, lastEnd: Instant) {
            self.type = type
            self.count = count
            self.firstStart = firstStart
            self.lastEnd = lastEnd
        }
    }

    /// Records of one kind and type.
    package struct Records: Hashable, Sendable {
        package var kind: RecordKind
        package var type: String
        package var count: Int
        package var firstDay: CalendarDay
        package var lastDay: CalendarDay

        package init(kind: RecordKind, type: String, count: Int, firstDay: CalendarDay, lastDay: CalendarDay) {
            self.kind = kind
            self.type = type
            self.count = count
            self.firstDay = firstDay
            self.lastDay = lastDay
        }
    }

    /// Ordered by type.
    package var samples: [Samples]
    /// Ordered by kind and type.
    package var records: [Records]

    package init(samples: [Samples] = [], records: [Records] = []) {
        self.samples = samples
        self.records = records
    }
}
