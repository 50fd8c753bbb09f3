package import HealthSyncDomain
package import HealthSyncPorts

/// Imports sources: reads each once, and updates the stored pages in one transaction.
package struct SourceImport: Sendable {
    private let store: any SamplePageStore
    private let hasher: any ContentHasher
    private let time: any TimeSource
    private let clock: DayClock
    private let progress: any ProgressReporter
    private let log: any EventLog

    package init(
        store: any SamplePageStore, hasher: any ContentHasher, time: any TimeSource, clock: DayClock,
        progress: any ProgressReporter, log: any EventLog
    ) {
        self.clock = clock
        self.log = log
        self.progress = progress
        self.store = store
        self.hasher = hasher
        self.time = time
    }

    /// Imports `sources`. Sources that are recognized as unchanged are not read, unless `force`.
    ///
    /// Snapshots of one provider with the same export date are parts of one snapshot. Snapshots are imported in the
    /// order of their export dates, so that the newest prevails; feeds follow in the given order.
    ///
    /// `check` receives the offsets of the sources and the stays that their records state before anything is stored. An error
    /// that it throws ends the import.
    package func importSources(
        _ sources: [any HealthDataSource], selection: SampleSelection, allowDeletions: Bool, force: Bool,
        check: ([ZoneEvidence], StatedStays) async throws -> Void = { _, _ in }
    ) async throws -> [ImportReport] {
        let definitions = sources.isEmpty ? selection : try await DefinitionCheck(store: store).selection(selection)
        var reports: [ImportReport] = []
        var read: [ReadSource] = []
        for source in sources {
            let known = try await remembered(source, selection: selection)
            let why = force && known.isUnchanged ? "read, as was asked" : known.why
            log.note("source \(source.location) (\(source.provider)): \(why)", level: .debug)
            if known.isUnchanged && !force {
                var report = ImportReport(locations: [source.location], provider: source.provider)
                report.isUnchanged = true
                reports.append(report)
            } else {
                read.append(try await readAll(source, fingerprint: known.fingerprint, selection: definitions))
            }
        }
        var stated = StatedZones(rules: time.zoneRules)
        for source in read { stated.add(source.samples.statedZones) }
        try await check(
            read.map { ZoneEvidence(provider: $0.source.provider, offsets: $0.reading.statedOffsets) },
            StatedStays(stated))
        for group in Self.groups(of: read) {
            try Task.checkCancellation()
            reports.append(
                try await importGroup(group, selection: selection, allowDeletions: allowDeletions, force: force))
        }
        return reports
    }

    private func remembered(
        _ source: any HealthDataSource, selection: SampleSelection
    ) async throws -> (fingerprint: SourceFingerprint, isUnchanged: Bool, why: String) {
        let fingerprint = try await source.fingerprint()
        let known = try await store.importedSource(path: fingerprint.path)
        guard let known else { return (fingerprint, false, "read, it is new") }
        guard known.fingerprint == fingerprint else { return (fingerprint, false, "read, it changed") }
        guard known.selection == digest(of: selection, for: source) else {
            return (fingerprint, false, "read, other types or other properties are kept")
        }
        return (fingerprint, true, "not read, it is unchanged")
    }

    /// How often a source that changes while it is read is read.
    private static let attempts = 3

    /// Reads the source, and again if it changed meanwhile: what was read may be a mixture of two contents.
    ///
    /// - Throws: `SyncFailure` with `.incompleteInput` if it changed during each attempt. Nothing of it was stored.
    private func readAll(
        _ source: any HealthDataSource, fingerprint: SourceFingerprint, selection: SampleSelection
    ) async throws -> ReadSource {
        var fingerprint = fingerprint
        for _ in 1...Self.attempts {
            let outcome: Result<ReadSource, any Error>
            do {
                outcome = .success(try await readOnce(source, fingerprint: fingerprint, selection: selection))
            } catch {
                outcome = .failure(error)
            }
            try Task.checkCancellation()
            // A failure remains the failure of a source that can no longer be identified.
            guard let present = try? await source.fingerprint(), present != fingerprint else {
                return try outcome.get()
            }
            log.note("source \(source.location) changed while it was read", level: .info)
            fingerprint = present
        }
        throw SyncFailure(
            .incompleteInput, subject: source.location, reason: "changes while it is read",
            advice: "run again when it is no longer written")
    }

    private func readOnce(
        _ source: any HealthDataSource, fingerprint: SourceFingerprint, selection: SampleSelection
    ) async throws -> ReadSource {
        let assembler = SampleAssembler(location: source.location, progress: progress, time: time)
        let reading = try await source.read(selection) { assembler.receive($0) }
        let plausible = reading.exportDate.flatMap { $0 <= plausibleUntil ? $0 : nil }
        return ReadSource(
            source: source, fingerprint: fingerprint, reading: reading, exportDate: plausible,
            samples: assembler.finish())
    }

    /// A later export date is implausible; one day is allowed for clocks and zones.
    private var plausibleUntil: Instant { time.now().advanced(bySeconds: 86_400) }

    private func importGroup(
        _ group: [ReadSource], selection: SampleSelection, allowDeletions: Bool, force: Bool
    ) async throws -> ImportReport {
        guard let first = group.first else { return ImportReport(locations: [], provider: "") }
        let otherTypes = selection.includesOtherTypes ? try await store.storedTypes() : []
        let arriving = ArrivingPages(
            sources: group.map { imported($0, selection: selection) },
            readings: group.map(\.samples), reading: Self.account(of: group), provider: first.source.provider,
            semantics: first.source.semantics, isComplete: group.allSatisfy(\.reading.isComplete),
            exportDate: first.exportDate, plausibleUntil: plausibleUntil, types: selection.types + otherTypes,
            hasAllTypes: selection.includesOtherTypes, allowDeletions: allowDeletions, force: force, hasher: hasher,
            clock: clock, time: time)
        do {
            return try await importGroup(arriving, of: group, comparing: false)
        } catch is ArrivingPages.LineageMismatch {
            return try await importGroup(arriving, of: group, comparing: true)
        }
    }

    private func importGroup(
        _ arriving: ArrivingPages, of group: [ReadSource], comparing: Bool
    ) async throws -> ImportReport {
        var report = ImportReport(locations: group.map(\.source.location), provider: arriving.provider)
        report.reading = Self.account(of: group)
        report.isDatePlausible = group.allSatisfy { $0.exportDate == $0.reading.exportDate }
        return try await store.changePages { [report] transaction in
            let counts = try arriving.store(in: transaction, comparing: comparing)
            var report = report
            report.stored = counts.added
            report.alreadyKnown = counts.known
            report.corrected = counts.corrected
            report.deleted = counts.deleted
            report.pagesWritten = counts.pagesWritten
            report.superseded = counts.superseded
            report.clipped = counts.clipped
            report.keptDespiteNewer = counts.keptDespiteNewer
            try report.requireSum()
            return report
        }
    }

    private static func account(of group: [ReadSource]) -> SourceReading {
        group.dropFirst().reduce(group[0].reading) { $0.combined(with: $1.reading) }
    }

    private func imported(_ read: ReadSource, selection: SampleSelection) -> ImportedSource {
        ImportedSource(
            fingerprint: read.fingerprint, provider: read.source.provider, exportDate: read.exportDate,
            selection: digest(of: selection, for: read.source), importedAt: time.now())
    }

    /// Raise this when exports must be read again, because more of their samples is stored. Since 2, units and digits.
    private static let exportVersion = 2

    /// Returns a digest of what is kept of a source. Feeds are not read again for more: what they state may be outdated.
    /// The digest is stored, so a change of its text reads every export again.
    private func digest(of selection: SampleSelection, for source: any HealthDataSource) -> ContentDigest {
        let rows = selection.types.sorted { $0.type < $1.type }.map { definition in
            let conversions = "[\(Self.text(of: definition.factors)), \(Self.text(of: definition.offsets))]"
            let values = Self.text(of: definition.categoryValues)
            return "\(definition.type.rawValue) \(definition.kind.rawValue) \(definition.unit) \(conversions) \(values)"
        }
        let version = source.semantics == .snapshot ? "\n\(Self.exportVersion)" : ""
        return hasher.digest(rows.joined(separator: "\n") + "\n\(selection.includesOtherTypes)" + version)
    }

    /// As interpolation writes the pairs, without its reflection: this runs for every type at every start.
    private static func text(of pairs: [String: some LosslessStringConvertible]) -> String {
        let sorted = pairs.sorted { $0.key < $1.key }
        return "[\(sorted.map { "(key: \"\($0.key)\", value: \($0.value.description))" }.joined(separator: ", "))]"
    }

    private static func groups(of read: [ReadSource]) -> [[ReadSource]] {
        let snapshots = Dictionary(grouping: read.filter { $0.source.semantics == .snapshot }) {
            SnapshotKey(
                provider: $0.source.provider, exportDate: $0.exportDate,
                undatedLocation: $0.exportDate == nil ? $0.source.location : "")
        }
        let ordered = snapshots.sorted { $0.key.order < $1.key.order }.map(\.value)
        return ordered + read.filter { $0.source.semantics != .snapshot }.map { [$0] }
    }

    private struct SnapshotKey: Hashable {
        let provider: String
        let exportDate: Instant?
        /// A snapshot without a date forms a group of its own.
        let undatedLocation: String
        var order: (String, Int64, String) { (provider, exportDate?.milliseconds ?? .min, undatedLocation) }
    }
}

/// A source that was read to its end, or up to the point where it is truncated.
private struct ReadSource: Sendable {
    let source: any HealthDataSource
    let fingerprint: SourceFingerprint
    let reading: SourceReading
    /// When the snapshot was made; `nil` if unknown or implausible.
    let exportDate: Instant?
    let samples: AssembledSamples
}

/// The result of importing one source, or several sources that form one snapshot.
///
/// `reading.recordsRead` = `stored` + `alreadyKnown` + the sum of `reading.rejected` + `reading.notSelected`.
package struct ImportReport: Sendable, Hashable {
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
    fileprivate func requireSum() throws(SyncFailure) {
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

/// Ensures that samples of a type are read in the unit in which they are stored.
private struct DefinitionCheck: Sendable {
    let store: any SamplePageStore

    /// Returns the selection with which sources are read. If every type is selected, a type that only the store knows
    /// keeps its stored unit.
    ///
    /// - Throws: `.configuration` if samples of a type are stored in another unit than `asked` defines.
    func selection(_ asked: SampleSelection) async throws -> SampleSelection {
        let stored = try await store.storedTypes()
        let defined = Dictionary(asked.types.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
        var selection = asked
        for earlier in stored {
            if let definition = defined[earlier.type] {
                guard definition.unit == earlier.unit else { throw conflict(definition, earlier) }
            } else if asked.includesOtherTypes, Self.builtIn[earlier.type] == nil {
                selection.types.append(earlier)
            }
        }
        return selection
    }

    private static let builtIn = SampleTypeTable.builtIn()

    private func conflict(_ definition: SampleTypeDefinition, _ earlier: SampleTypeDefinition) -> SyncFailure {
        SyncFailure(
            .configuration, subject: definition.type.rawValue,
            reason: "it is defined in \"\(definition.unit)\", but its samples are stored in \"\(earlier.unit)\"",
            advice: "define it in \"\(earlier.unit)\", or read all sources into another --data-dir")
    }
}
