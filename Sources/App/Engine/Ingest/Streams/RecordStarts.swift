import HealthSyncDomain
import HealthSyncPorts

/// Where records of several samples begin. A record that begins before a window is not in the window, although some of
/// its samples start there.
enum RecordStarts {
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
