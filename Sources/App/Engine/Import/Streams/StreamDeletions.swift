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

/// The records of which a change stream states all samples, such as nights with their stages. Of the statements of a
/// record the one with the highest version counts, whatever arrives first; its samples replace those of the others.
///
/// Stored samples are searched on the days of the record and two days before and after: an edited record may have moved
/// to another day.
private struct RecordVersions {
    private static let reach = 2

    private struct Record: Hashable {
        var type: SampleType
        var id: ExactText
    }

    /// The stored samples of lower versions.
    private(set) var outdated: [SamplePageKey: DeletedSampleRows] = [:]
    private var newest: [Record: Int64] = [:]

    init(_ records: [StatedRecord], held: HeldPages) throws {
        guard !records.isEmpty else { return }
        var days: [SampleType: DayRange] = [:]
        for record in records {
            let name = Record(type: record.type, id: ExactText(record.externalID))
            newest[name] = max(newest[name] ?? .min, record.version)
            let first = CalendarDay(utcDayOf: record.firstStart)
            let last = CalendarDay(utcDayOf: record.lastStart)
            let known = days[record.type]
            days[record.type] = DayRange(min(known?.first ?? first, first), through: max(known?.last ?? last, last))
        }
        var stored: [(key: SamplePageKey, columns: SampleColumns)] = []
        for key in held.keys
        where days[key.type]?.widened(before: Self.reach, after: Self.reach).contains(key.day) ?? false {
            let columns = try held.detailed(at: key)
            guard !columns.details.isEmpty else { continue }
            for row in columns.details.keys {
                guard let name = self.name(of: columns, row, at: key), let version = columns.details[row]?.syncVersion
                else { continue }
                newest[name] = max(newest[name] ?? .min, version)
            }
            stored.append((key, columns))
        }
        for (key, columns) in stored {
            for row in columns.details.keys where isOutdated(columns, row, at: key) {
                outdated[key, default: DeletedSampleRows()].insert(columns, row)
            }
        }
    }

    /// Returns whether a sample belongs to a stated record of a higher version.
    func isOutdated(_ columns: SampleColumns, _ row: Int, at key: SamplePageKey) -> Bool {
        guard !newest.isEmpty, let name = name(of: columns, row, at: key), let highest = newest[name] else {
            return false
        }
        return columns.details[row]?.syncVersion ?? .min < highest
    }

    /// Returns the stated record to which a sample belongs; `nil` if it belongs to none.
    private func name(of columns: SampleColumns, _ row: Int, at key: SamplePageKey) -> Record? {
        guard let id = columns.details[row]?.externalID else { return nil }
        let name = Record(type: key.type, id: ExactText(DeletedSampleRows.record(of: id) ?? id))
        return newest[name] == nil ? nil : name
    }
}

/// Where records of several samples begin. A record that begins before a window is not in the window, although some of
/// its samples start there.
private enum RecordStarts {
    /// Returns the earliest start of each record in `pages`, in milliseconds since 1970.
    static func earliest(in pages: PageSequence) throws -> [ExactText: Int64] {
        var starts: [ExactText: Int64] = [:]
        try pages.forEach { page in
            let columns = try page.samples()
            for (row, detail) in columns.details {
                guard let record = detail.externalID.flatMap(DeletedSampleRows.record).map({ ExactText($0) }) else {
                    continue
                }
                starts[record] = min(starts[record] ?? .max, columns.starts[row])
            }
        }
        return starts
    }

    /// Returns the stored records with a part before the start of a window, on the day of the start or the day before.
    static func records(before window: KnownWindow, held: HeldPages) throws -> Set<ExactText> {
        var records: Set<ExactText> = []
        let day = CalendarDay(utcDayOf: window.start)
        let days = [CalendarDay(utcDayOf: window.start.advanced(bySeconds: -86_400)), day]
        for key in held.keys where window.type == key.type && days.contains(key.day) {
            let stored = try held.detailed(at: key)
            for (row, detail) in stored.details where stored.starts[row] < window.start.milliseconds {
                guard let record = detail.externalID.flatMap(DeletedSampleRows.record) else { continue }
                records.insert(ExactText(record))
            }
        }
        return records
    }
}
