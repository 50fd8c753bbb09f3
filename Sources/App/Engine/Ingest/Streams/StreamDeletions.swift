import HealthSyncDomain
import HealthSyncPorts

/// What a change stream deletes in one transaction: samples that it names, samples that a complete window lacks, and
/// samples of a record that a later statement of the record lacks.
///
/// Statements are ordered by their versions, not by their arrival. A named deletion without a version is final.
final class StreamDeletions {
    /// The rows to remove from the stored pages.
    private(set) var rows: [SamplePageKey: DeletedSampleRows] = [:]
    private let provider: String
    private let held: HeldPages
    private let transaction: any SamplePageTransaction
    private let windows: StreamWindows
    private let records: RecordVersions
    /// The version of samples that arrive without one; `nil` if they are newer than everything that is stored.
    private let unversioned: Int64?
    private let windowDate: Instant?
    /// The earliest start of each record of several samples in the reading.
    private let recordStarts: [ExactText: Int64]
    private let hasRows: Bool
    /// The stored samples that complete windows lack, unless they arrive.
    private var absent: [SamplePageKey: SampleColumns] = [:]
    /// The pages with samples that were noted as deleted.
    private(set) var notedKeys: Set<SamplePageKey> = []
    /// The identifiers of the samples that arrived and exist.
    private var arrived: Set<ExactText> = []

    /// Registers the deletions of `reading` and finds the stored samples that they concern.
    init(
        _ reading: SourceReading, provider: String, pages: PageSequence, held: HeldPages,
        isSelected: (SampleType) -> Bool, transaction: any SamplePageTransaction
    ) throws {
        self.provider = provider
        self.held = held
        self.transaction = transaction
        let windows = try StreamWindows(
            reading, provider: provider, isSelected: isSelected, transaction: transaction)
        let records = try RecordVersions(reading.statedRecords, held: held)
        self.windows = windows
        self.records = records
        rows = records.outdated
        unversioned = reading.windows.map(\.version).max()
        windowDate = (reading.windows.map(\.date) + reading.windowParts.map(\.date)).max()
        recordStarts = windows.isEmpty ? [:] : try RecordStarts.earliest(in: pages)
        let named = try Self.register(reading.deletions, provider: provider, in: transaction)
        hasRows = try transaction.hasDeletedRows(provider: provider)
        try removeNamed(named)
        try findAbsent()
    }

    /// Returns the arriving samples of a page without those that the stream deleted or replaced.
    func alive(_ samples: SampleColumns, at key: SamplePageKey) throws -> SampleColumns {
        guard !windows.isEmpty || !samples.details.isEmpty else { return samples }
        let kept = try samples.starts.indices.filter { row in
            let isAlive = try isAlive(samples, row, at: key)
            if isAlive {
                rows[key]?.remove(samples, row)
                if let id = samples.details[row]?.externalID, !windows.isEmpty { arrived.insert(ExactText(id)) }
            }
            return isAlive
        }
        if rows[key]?.isEmpty ?? false { rows[key] = nil }
        return kept.count == samples.count ? samples : samples.selecting(kept)
    }

    /// Remembers the stored samples that a window lacked, after all pages have passed through `alive`.
    func rememberAbsent() throws {
        for (key, samples) in absent {
            for row in samples.starts.indices where rows[key]?.contains(samples, row) ?? false {
                let id = DeletedSampleRows.identifier(of: samples, row, at: key)
                if !arrived.contains(ExactText(id)) { try note(samples, row, at: key, id: id, windowDate: windowDate) }
            }
        }
    }

    private func isAlive(_ samples: SampleColumns, _ row: Int, at key: SamplePageKey) throws -> Bool {
        guard !records.isOutdated(samples, row, at: key) else { return false }
        guard hasRows || !windows.isEmpty else { return true }
        let version = samples.details[row]?.syncVersion ?? unversioned ?? .max
        let id = DeletedSampleRows.identifier(of: samples, row, at: key)
        let own = hasRows ? try transaction.deletedRow(provider: provider, externalID: id) : nil
        if let named = try deletion(naming: id, own), named.version.map({ version <= $0 }) ?? true {
            if try named.version.map({ try !isStored(samples, row, at: key, since: $0 + 1) }) ?? true {
                try note(samples, row, at: key, id: id, version: named.version)
            }
            return false
        }
        let window = windows.containing(samples.starts[row], of: key.type)
            .filter { !startsBefore($0, samples, row) }.map(\.version).max()
        if let window, version < window {
            if try !isStored(samples, row, at: key, since: window) {
                try note(samples, row, at: key, id: id, windowDate: windowDate ?? Instant(milliseconds: window))
            }
            return false
        }
        if own != nil { try transaction.removeDeletedRow(provider: provider, externalID: id) }
        return true
    }

    /// Returns the deletion that named a sample, or the record to which it belongs.
    private func deletion(naming id: String, _ own: DeletedRow?) throws -> DeletedRow? {
        guard hasRows else { return nil }
        var found = own?.windowDate == nil ? own : nil
        if let record = DeletedSampleRows.record(of: id),
            let whole = try transaction.deletedRow(provider: provider, externalID: record), whole.windowDate == nil
        {
            if let version = found?.version, let other = whole.version {
                found?.version = max(version, other)
            } else if found == nil || whole.version == nil {
                found = whole
            }
        }
        return found
    }

    /// Returns whether the page contains an equal sample of `version` or a higher one, stored or arriving: a statement
    /// that is too old for the sample to count does not delete it then.
    private func isStored(
        _ samples: SampleColumns, _ row: Int, at key: SamplePageKey, since version: Int64
    ) throws -> Bool {
        func contains(_ columns: SampleColumns, unversioned: Int64) -> Bool {
            columns.starts.indices.contains { place in
                columns.starts[place] == samples.starts[row] && columns.durations[place] == samples.durations[row]
                    && columns.values[place] == samples.values[row]
                    && columns.details[place]?.externalID == samples.details[row]?.externalID
                    && columns.details[place]?.syncVersion ?? unversioned >= version
            }
        }
        let inWindow = windows.earlierVersion(of: key.type, at: samples.starts[row]) ?? .min
        let stored = try held.samples(of: HeldPages.firstLineage, at: key)
        return contains(samples, unversioned: unversioned ?? .max) || contains(stored, unversioned: inWindow)
    }

    /// Whether a sample belongs to a record that begins before a window. Such a record is not in the window.
    private func startsBefore(_ window: KnownWindow, _ samples: SampleColumns, _ row: Int) -> Bool {
        guard let record = samples.details[row]?.externalID.flatMap(DeletedSampleRows.record) else { return false }
        return recordStarts[ExactText(record)].map { $0 < window.start.milliseconds } ?? false
    }
}

extension StreamDeletions {
    /// Stores the deletions that the reading names. Returns those that may concern stored samples, by identifier.
    private static func register(
        _ deletions: [DeletedSample], provider: String, in transaction: any SamplePageTransaction
    ) throws -> [ExactText: DeletedSample] {
        var named: [ExactText: DeletedSample] = [:]
        for deletion in deletions {
            let known = try transaction.deletedRow(provider: provider, externalID: deletion.externalID)
            let isNamed = known.map { $0.windowDate == nil } ?? false
            var version = deletion.version
            if let known, isNamed {
                version = known.version.flatMap { former in version.map { max(former, $0) } }
                if known.content != nil, known.version == version { continue }
            }
            var row = DeletedRow(provider: provider, externalID: deletion.externalID, content: known?.content)
            row.version = version
            try transaction.putDeletedRow(row)
            named[ExactText(deletion.externalID)] = DeletedSample(
                externalID: deletion.externalID, type: deletion.type, version: version)
        }
        return named
    }

    /// Finds the stored samples that the stream names, the latest pages first. A deletion of a sample that a later
    /// statement contains is void.
    private func removeNamed(_ named: [ExactText: DeletedSample]) throws {
        guard !named.isEmpty else { return }
        let types = Set(named.values.compactMap(\.type))
        let ofAnyType = named.values.contains { $0.type == nil }
        var existing: Set<ExactText> = []
        for key in held.keys.sorted(by: { $1.day < $0.day }) where ofAnyType || types.contains(key.type) {
            let stored = try held.detailed(at: key)
            for (row, detail) in stored.details {
                guard let id = detail.externalID,
                    let deletion = named[ExactText(id)]
                        ?? DeletedSampleRows.record(of: id).flatMap({ named[ExactText($0)] })
                else { continue }
                if let version = deletion.version, version < detail.syncVersion ?? .min {
                    if id.hasSameBytes(as: deletion.externalID) { existing.insert(ExactText(id)) }
                    continue
                }
                rows[key, default: DeletedSampleRows()].insert(stored, row)
                try note(stored, row, at: key, id: id, version: deletion.version)
            }
        }
        for id in existing { try transaction.removeDeletedRow(provider: provider, externalID: id.text) }
    }

    /// Finds the stored samples that complete windows of this reading lack; `alive` keeps those that arrive.
    private func findAbsent() throws {
        for window in windows.arriving {
            let days = DayRange(CalendarDay(utcDayOf: window.start), through: CalendarDay(utcDayOf: window.end))
            let earlier = try RecordStarts.records(before: window, held: held)
            for key in held.keys where window.type == key.type && days?.contains(key.day) ?? false {
                let stored = try held.samples(of: HeldPages.firstLineage, at: key)
                let lacking = stored.starts.indices.filter { row in
                    guard window.contains(stored.starts[row]) else { return false }
                    let detail = stored.details[row]
                    let version =
                        detail?.syncVersion ?? windows.earlierVersion(of: key.type, at: stored.starts[row]) ?? .min
                    guard version < window.version else { return false }
                    let record = detail?.externalID.flatMap(DeletedSampleRows.record)
                    return record.map { !earlier.contains(ExactText($0)) } ?? true
                }
                guard !lacking.isEmpty else { continue }
                absent[key, default: SampleColumns()].append(stored.selecting(lacking))
                for row in lacking { rows[key, default: DeletedSampleRows()].insert(stored, row) }
            }
        }
    }

    private func note(
        _ samples: SampleColumns, _ row: Int, at key: SamplePageKey, id: String, windowDate: Instant? = nil,
        version: Int64? = nil
    ) throws {
        notedKeys.insert(key)
        try transaction.putDeletedRow(
            DeletedRow(
                provider: provider, externalID: id,
                content: DeletedRow.Content(
                    key: key, start: samples.starts[row], duration: samples.durations[row],
                    value: samples.values[row], written: samples.writtenNumber(row)),
                windowDate: windowDate, version: version))
    }
}
