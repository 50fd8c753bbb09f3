import HealthSyncDomain
import HealthSyncPorts

/// The records of which a change stream states all samples, such as nights with their stages. Of the statements of a
/// record the one with the highest version counts, whatever arrives first; its samples replace those of the others.
///
/// Stored samples are searched on the days of the record and two days before and after: an edited record may have moved
/// to another day.
struct RecordVersions {
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
