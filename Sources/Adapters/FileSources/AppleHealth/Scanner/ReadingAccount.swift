import HealthSyncDomain

/// Counts what a reading meets.
struct ReadingAccount {
    private var reading = SourceReading()
    private var refusals = [Int](repeating: 0, count: RefusalReason.allCases.count)
    private var delivered = 0
    /// What `noteOnce` noted.
    private var noted: Set<String> = []

    /// The account so far.
    var sum: SourceReading {
        var sum = reading
        for (reason, count) in zip(RefusalReason.allCases, refusals) where count > 0 {
            sum.refused[reason.rawValue] = count
        }
        sum.recordsRead = delivered + sum.notSelected + refusals.reduce(0, +)
        return sum
    }

    /// Counts records that were delivered.
    mutating func countDelivered(_ count: Int) { delivered += count }

    /// Counts a record of a type that was not asked for.
    @inline(__always)
    mutating func countNotSelected() { reading.notSelected &+= 1 }

    /// Counts an element that is no record.
    mutating func passOver(_ element: String) { reading.passOver(element) }

    /// Counts a record that could not be used.
    mutating func refuse(_ reason: RefusalReason) {
        for (index, candidate) in RefusalReason.allCases.enumerated() where candidate == reason { refusals[index] += 1 }
    }

    /// Notes the liberties taken with the record at `offset`.
    mutating func note(_ faults: AttributeFaults, at offset: Int64) {
        for description in faults.descriptions { reading.note(description, at: offset) }
    }

    /// Notes a problem at its first place; of many problems only the first ones.
    mutating func noteOnce(_ what: String, at offset: Int64) {
        guard noted.count < 100, noted.insert(what).inserted else { return }
        reading.note(what, at: offset)
    }

    /// Notes a stretch that was skipped: the file is not complete from there on.
    mutating func noteSkipped(_ what: String, at offset: Int64) {
        reading.note(what, at: offset)
        noteIncomplete(at: offset)
    }

    /// Notes that something is missing at `offset`.
    mutating func noteIncomplete(at offset: Int64) {
        reading.incompleteAtByte = min(reading.incompleteAtByte ?? offset, offset)
    }

    /// Notes up to when the export says everything.
    mutating func noteExportDate(_ date: Instant) { reading.exportDate = date }

    /// Notes the offset of the phone's clock when the export was made.
    mutating func noteOffset(_ seconds: Int64, at date: Instant) {
        reading.statedOffsets = [StatedOffset(instant: date, seconds: seconds)]
    }
}
