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
