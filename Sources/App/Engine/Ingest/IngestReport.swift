package import HealthSyncDomain

/// The result of importing one source, or several sources that form one snapshot.
///
/// `reading.recordsRead` = `stored` + `alreadyKnown` + the sum of `reading.rejected` + `reading.notSelected`.
package struct IngestReport: Sendable, Hashable {
    /// The paths or URLs, as the user gave them.
    package var locations: [String]
    package var provider: String
    /// The account of the reading; zero if nothing was read because nothing changed.
    package var reading = SourceReading()
    /// Whether the sources were recognized as unchanged and not read.
    package var isUnchanged = false
    /// Samples that are new in the local store.
    package var stored = 0
    /// Samples that were stored before, or occur twice.
    package var alreadyKnown = 0
    /// Samples that replaced a stored one with other values, because the source corrected it; they are included in
    /// `alreadyKnown`.
    package var corrected = 0
    /// Samples that a newer snapshot no longer contains.
    package var deleted = 0
    /// Samples of an older snapshot that a newer one of its lineage, imported before, lacks. They are not stored, and
    /// are included in `alreadyKnown`.
    package var superseded = 0
    /// Sums that state less than an earlier delivery of a feed for an interval that was over then: the feed's window
    /// contained a part of it only. They are not stored, and are included in `alreadyKnown`.
    package var clipped = 0
    /// Samples that are stored next to those of other snapshots, because the snapshots have too little in common to
    /// belong to one lineage: they are probably exports of another phone.
    package var keptDespiteNewer = 0
    /// Whether the export date is plausible; a date in the future is ignored.
    package var isDatePlausible = true
    /// Pages that were written.
    package var pagesWritten = 0

    package init(locations: [String], provider: String) {
        self.locations = locations
        self.provider = provider
    }

    /// Whether every record that was read is accounted for.
    package var addsUp: Bool { reading.recordsRead == accountedFor }

    /// Throws if the counts do not add up.
    func requireSum() throws(SyncFailure) {
        if addsUp { return }
        throw SyncFailure(
            .unexpected, subject: locations.joined(separator: ", "),
            reason: "\(reading.recordsRead) records were read, \(accountedFor) are accounted for; nothing was stored",
            advice: "report this as a bug in the program that reads it")
    }

    private var accountedFor: Int {
        stored + alreadyKnown + reading.rejected.values.reduce(0, +) + reading.notSelected
    }
}

extension SourceReading {
    /// Returns the account of both readings together.
    func combined(with other: SourceReading) -> SourceReading {
        var sum = self
        sum.recordsRead += other.recordsRead
        sum.addNotSelected(of: other)
        sum.rejected.merge(other.rejected, uniquingKeysWith: +)
        sum.skippedElements.merge(other.skippedElements, uniquingKeysWith: +)
        sum.problems = Array((problems + other.problems).prefix(100))
        sum.problemCount += other.problemCount
        sum.incompleteAtByte = incompleteAtByte ?? other.incompleteAtByte
        sum.statedOffsets = StatedOffset.ends(of: statedOffsets + other.statedOffsets)
        sum.deletions += other.deletions
        sum.windows += other.windows
        sum.windowParts += other.windowParts
        sum.statedRecords += other.statedRecords
        sum.statements += other.statements
        sum.deliveries += other.deliveries
        sum.exportDate = [exportDate, other.exportDate].compactMap { $0 }.max()
        return sum
    }
}
