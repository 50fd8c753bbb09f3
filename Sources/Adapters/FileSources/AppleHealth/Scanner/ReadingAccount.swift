import HealthSyncDomain

/// The account of a reading.
struct ReadingAccount {
    private var reading = SourceReading()
    private var rejections = [Int](repeating: 0, count: RejectionReason.allCases.count)
    private var delivered = 0
    /// The records of types that are not selected, by number of the type's text.
    private var notSelected: [Int] = []
    /// The problems that `noteOnce` reported.
    private var reported: Set<String> = []

    /// Returns the current totals. `name` returns the type with a number.
    func sum(naming name: (Int) -> String) -> SourceReading {
        var sum = reading
        for (type, count) in notSelected.enumerated() where count > 0 { sum.countNotSelected(name(type), count: count) }
        for (reason, count) in zip(RejectionReason.allCases, rejections) where count > 0 {
            sum.rejected[reason.rawValue] = count
        }
        sum.recordsRead = delivered + sum.notSelected + rejections.reduce(0, +)
        return sum
    }

    /// Counts records that were delivered.
    mutating func countDelivered(_ count: Int) { delivered += count }

    /// Counts a record of the type with the number `type`, which is not selected.
    @inline(__always)
    mutating func countNotSelected(_ type: Int) {
        while notSelected.count <= type { notSelected.append(0) }
        notSelected[type] &+= 1
    }

    /// Counts a skipped element.
    mutating func countSkipped(_ element: String) { reading.countSkipped(element) }

    /// Counts a rejected record.
    mutating func reject(_ reason: RejectionReason) {
        for (index, candidate) in RejectionReason.allCases.enumerated() where candidate == reason {
            rejections[index] += 1
        }
    }

    /// Reports the tolerated faults of the record at `offset`.
    mutating func note(_ faults: AttributeFaults, at offset: Int64) {
        for description in faults.descriptions { reading.note(description, at: offset) }
    }

    /// Reports a problem at its first occurrence only, up to a limit of different problems.
    mutating func noteOnce(_ what: String, at offset: Int64) {
        guard reported.count < 100, reported.insert(what).inserted else { return }
        reading.note(what, at: offset)
    }

    /// Reports a skipped stretch: the file is incomplete.
    mutating func noteSkipped(_ what: String, at offset: Int64) {
        reading.note(what, at: offset)
        noteIncomplete(at: offset)
    }

    /// Records that data is missing at `offset`.
    private mutating func noteIncomplete(at offset: Int64) {
        reading.incompleteAtByte = min(reading.incompleteAtByte ?? offset, offset)
    }

    /// The date up to which the export is complete.
    var exportDate: Instant? { reading.exportDate }

    /// Records the date up to which the export is complete.
    mutating func noteExportDate(_ date: Instant) { reading.exportDate = date }

    /// Records the UTC offset of the phone's clock at the time of the export.
    mutating func noteOffset(_ seconds: Int64, at date: Instant) {
        reading.statedOffsets = [StatedOffset(instant: date, seconds: seconds)]
    }
}

/// The reason why a record was rejected; the raw value is the key in `SourceReading.rejected`.
enum RejectionReason: String, CaseIterable, Error {
    /// No `type`, or an empty one.
    case noType = "no type"
    /// A `type` that is not valid text of XML.
    case damagedType = "damaged type"
    /// A start or end that is missing or not a valid date, such as 30 February.
    case badDate = "missing or impossible date"
    /// An end before the start.
    case endBeforeStart = "end before start"
    /// A year in which no measurement is plausible.
    case implausibleYear = "year outside 1900–2200"
    /// Neither a value nor an average.
    case noValue = "no value"
    /// A value that is not a finite decimal number.
    case badValue = "value is not a number"
    /// An unknown name of a state.
    case unknownState = "unknown category value"
    /// A unit that cannot be converted to the canonical unit.
    case unknownUnit = "unknown unit"
    /// A repeated attribute with different values.
    case contradiction = "attribute written twice with different values"
    /// The record's end tag is missing.
    case notClosed = "record not closed"
    /// More types, sources or devices than the limits allow.
    case tooMany = "too many different types or sources"
}
