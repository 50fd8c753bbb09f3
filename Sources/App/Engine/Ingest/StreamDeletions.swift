import HealthSyncDomain
import HealthSyncPorts

/// What a change stream deletes in one transaction: samples that it names, and samples that a complete window lacks.
///
/// A named deletion is final and applies in any order of arrival. A sample that a window lacked exists again as soon as
/// a later window contains it.
final class StreamDeletions {
    /// The rows to remove from the stored pages.
    private(set) var rows: [SamplePageKey: DeletedSampleRows] = [:]
    private let provider: String
    private let transaction: any SamplePageTransaction
    /// The windows that delete what they lack.
    private let windows: [CompleteWindow]
    /// The date of the latest window, which may be too old to delete anything; `nil` if the reading states none.
    private let windowDate: Instant?
    private let hasRows: Bool
    /// The stored samples in complete windows, with the date of the window.
    private var absent: [SamplePageKey: [(samples: SampleColumns, windowDate: Instant)]] = [:]

    /// Registers the deletions of `reading` and finds the stored samples that they concern.
    init(
        _ reading: SourceReading, provider: String, held: HeldPages, transaction: any SamplePageTransaction
    ) throws {
        self.provider = provider
        self.transaction = transaction
        windowDate = reading.windows.map(\.date).max()
        windows = try reading.windows.filter { window in
            try window.types.allSatisfy { type in
                try transaction.windowDate(of: type, provider: provider).map { $0 <= window.date } ?? true
            }
        }
        var named: [String: SampleType?] = [:]
        for deletion in reading.deletions {
            let known = try transaction.deletedRow(provider: provider, externalID: deletion.externalID)
            if known?.windowDate == nil, known?.content != nil { continue }
            named[deletion.externalID] = .some(deletion.type)
            try transaction.putDeletedRow(
                DeletedRow(provider: provider, externalID: deletion.externalID, content: known?.content))
        }
        hasRows = try transaction.hasDeletedRows(provider: provider)
        try removeNamed(named, held: held)
        try findAbsent(held: held)
        for window in windows {
            for type in window.types { try transaction.setWindowDate(window.date, of: type, provider: provider) }
        }
    }

    /// Returns the arriving samples of a page without those that the stream deleted. Stored samples that a window
    /// lacks are removed only if they are not among `samples`.
    func alive(_ samples: SampleColumns, at key: SamplePageKey) throws -> SampleColumns {
        if absent[key] != nil {
            for row in samples.starts.indices { rows[key]?.remove(samples, row) }
            if rows[key]?.isEmpty ?? false { rows[key] = nil }
        }
        guard hasRows, !samples.details.isEmpty else { return samples }
        let kept = try samples.starts.indices.filter { row in
            guard let id = samples.details[row]?.externalID, let deleted = try deletedRow(id) else { return true }
            if let date = deleted.windowDate {
                guard windowDate.map({ date <= $0 }) ?? true else { return false }
                try transaction.removeDeletedRow(provider: provider, externalID: deleted.externalID)
                return true
            }
            try note(samples, row, at: key, id: id, windowDate: nil)
            return false
        }
        return kept.count == samples.count ? samples : samples.selecting(kept)
    }

    /// Returns the row of a sample, or that of the record to which it belongs.
    private func deletedRow(_ id: String) throws -> DeletedRow? {
        if let row = try transaction.deletedRow(provider: provider, externalID: id) { return row }
        guard let record = DeletedSampleRows.record(of: id) else { return nil }
        return try transaction.deletedRow(provider: provider, externalID: record)
    }

    /// Finds the stored samples that the stream names, the latest pages first.
    private func removeNamed(_ named: [String: SampleType?], held: HeldPages) throws {
        guard !named.isEmpty else { return }
        let types = Set(named.values.compactMap(\.self))
        let ofAnyType = named.values.contains { $0 == nil }
        for key in held.keys.sorted(by: { $1.day < $0.day }) where ofAnyType || types.contains(key.type) {
            let stored = try held.detailed(at: key)
            for (row, detail) in stored.details {
                guard let id = detail.externalID else { continue }
                let isNamed = named[id] != nil || DeletedSampleRows.record(of: id).map { named[$0] != nil } ?? false
                guard isNamed else { continue }
                rows[key, default: DeletedSampleRows()].insert(stored, row)
                try note(stored, row, at: key, id: id, windowDate: nil)
            }
        }
    }

    /// Finds the stored samples in complete windows; `alive` keeps those that the window contains.
    private func findAbsent(held: HeldPages) throws {
        for window in windows {
            let days = DayRange(CalendarDay(utcDayOf: window.start), through: CalendarDay(utcDayOf: window.end))
            let earlier = try records(startingBefore: window, held: held)
            for key in held.keys where window.types.contains(key.type) && days?.contains(key.day) ?? false {
                let stored = try held.samples(of: HeldPages.firstLineage, at: key)
                let inside = stored.starts.indices.filter {
                    window.start.milliseconds <= stored.starts[$0] && stored.starts[$0] < window.end.milliseconds
                }
                .filter { row in
                    let record = stored.details[row]?.externalID.flatMap(DeletedSampleRows.record)
                    return record.map { !earlier.contains($0) } ?? true
                }
                guard !inside.isEmpty else { continue }
                absent[key, default: []].append((stored.selecting(inside), window.date))
                for row in inside { rows[key, default: DeletedSampleRows()].insert(stored, row) }
            }
        }
    }

    /// Returns the records with a part on the day before the start of a window or on the day of the start, but before it.
    /// Such a record is not in the window, although other parts of it start there.
    private func records(startingBefore window: CompleteWindow, held: HeldPages) throws -> Set<String> {
        var records: Set<String> = []
        let day = CalendarDay(utcDayOf: window.start)
        let days = [CalendarDay(utcDayOf: window.start.advanced(bySeconds: -86_400)), day]
        for key in held.keys where window.types.contains(key.type) && days.contains(key.day) {
            let stored = try held.detailed(at: key)
            for (row, detail) in stored.details where stored.starts[row] < window.start.milliseconds {
                if let record = detail.externalID.flatMap(DeletedSampleRows.record) { records.insert(record) }
            }
        }
        return records
    }

    /// Remembers the stored samples that a window lacked, after all pages have passed through `alive`.
    func rememberAbsent() throws {
        for (key, lacking) in absent {
            for (samples, date) in lacking {
                for row in samples.starts.indices where rows[key]?.contains(samples, row) ?? false {
                    try note(
                        samples, row, at: key, id: DeletedSampleRows.identifier(of: samples, row, at: key),
                        windowDate: date)
                }
            }
        }
    }

    private func note(
        _ samples: SampleColumns, _ row: Int, at key: SamplePageKey, id: String, windowDate: Instant?
    ) throws {
        try transaction.putDeletedRow(
            DeletedRow(
                provider: provider, externalID: id,
                content: DeletedRow.Content(
                    key: key, start: samples.starts[row], duration: samples.durations[row],
                    value: samples.values[row]),
                windowDate: windowDate))
    }
}

/// Samples of a page that are to be removed: by their identifier, or by their content if they have none.
struct DeletedSampleRows {
    private struct Row: Hashable {
        var start: Int64
        var duration: Int64
        var value: Double
        var externalID: String?

        init(_ samples: SampleColumns, _ row: Int) {
            start = samples.starts[row]
            duration = samples.durations[row]
            value = samples.values[row]
            externalID = samples.details[row]?.externalID
        }
    }

    private var rows: Set<Row> = []

    var isEmpty: Bool { rows.isEmpty }

    mutating func insert(_ samples: SampleColumns, _ row: Int) { rows.insert(Row(samples, row)) }
    mutating func remove(_ samples: SampleColumns, _ row: Int) { rows.remove(Row(samples, row)) }
    func contains(_ samples: SampleColumns, _ row: Int) -> Bool { rows.contains(Row(samples, row)) }

    /// Returns the samples that remain.
    func removed(from samples: SampleColumns) -> SampleColumns {
        let kept = samples.starts.indices.filter { !contains(samples, $0) }
        return kept.count == samples.count ? samples : samples.selecting(kept)
    }

    /// Returns the identifier under which a deleted sample is remembered.
    static func identifier(of samples: SampleColumns, _ row: Int, at key: SamplePageKey) -> String {
        if let id = samples.details[row]?.externalID { return id }
        let content = "\(samples.starts[row]) \(samples.durations[row]) \(samples.values[row])"
        return "\(key.type.rawValue) \(key.origin.canonicalText) \(content)"
    }

    /// Returns the identifier of the record that a sample is a part of; `nil` for a sample that is not a part.
    static func record(of externalID: String) -> String? {
        externalID.firstIndex(of: "#").map { String(externalID[..<$0]) }
    }
}
