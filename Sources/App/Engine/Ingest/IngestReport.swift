package import HealthSyncDomain

/// What became of the records of one source, or of several that were taken in as one snapshot.
///
/// `reading.recordsRead` = `stored` + `alreadyKnown` + the sum of `reading.refused` + `reading.notSelected`.
package struct IngestReport: Sendable, Hashable {
    /// The paths, as the user gave them.
    package var locations: [String]
    package var provider: String
    /// The account of the reading; all zero when nothing was read because nothing changed.
    package var reading = SourceReading()
    /// Whether the files were recognised as unchanged and not read.
    package var isUnchanged = false
    /// Samples that are new at home.
    package var stored = 0
    /// Samples that were there already, or came twice.
    package var alreadyKnown = 0
    /// Samples that a newer snapshot no longer holds.
    package var deleted = 0
    /// Samples of an older snapshot that a newer one of its line, read before, lacks: they are not stored, and count as
    /// known.
    package var superseded = 0
    /// Samples that other snapshots were read for and lack, and that are stored beside theirs, because the two have too
    /// little in common to be of one line: they are probably another phone's.
    package var besideNewer = 0
    /// Whether the date of the export can be true; one in the future is taken for none.
    package var isDateBelieved = true
    /// Pages written.
    package var pagesWritten = 0

    package init(locations: [String], provider: String) {
        self.locations = locations
        self.provider = provider
    }

    /// Whether every record that was read is accounted for.
    package var addsUp: Bool { reading.recordsRead == accountedFor }

    /// Throws where a record that was read is not accounted for, or one that was not read is.
    func requireSum() throws(SyncFailure) {
        if addsUp { return }
        throw SyncFailure(
            .unexpected, subject: locations.joined(separator: ", "),
            reason: "\(reading.recordsRead) records were read, \(accountedFor) are accounted for; nothing was stored",
            advice: "report this as a mistake of the program that reads it")
    }

    private var accountedFor: Int {
        stored + alreadyKnown + reading.refused.values.reduce(0, +) + reading.notSelected
    }
}

extension SourceReading {
    /// The account of two readings together.
    func combined(with other: SourceReading) -> SourceReading {
        var sum = self
        sum.recordsRead += other.recordsRead
        sum.notSelected += other.notSelected
        sum.refused.merge(other.refused, uniquingKeysWith: +)
        sum.passedOver.merge(other.passedOver, uniquingKeysWith: +)
        sum.problems = Array((problems + other.problems).prefix(100))
        sum.problemCount += other.problemCount
        sum.incompleteAtByte = incompleteAtByte ?? other.incompleteAtByte
        sum.statedOffsets = StatedOffset.ends(of: statedOffsets + other.statedOffsets)
        sum.exportDate = [exportDate, other.exportDate].compactMap { $0 }.max()
        return sum
    }
}
