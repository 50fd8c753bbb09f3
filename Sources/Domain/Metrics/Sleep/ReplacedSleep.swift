/// Samples of sleep that a later statement of the same app and device replaces.
///
/// - Of records that overlap and have identifiers and versions, as Health Connect's sessions, the one that was written last
///   counts, as a whole.
/// - A sample of a feed without identifiers is replaced if later deliveries state more than half of its time. They may state
///   only a part of a night, so what they do not mention stays.
///
/// Time in bed and sleep are two kinds.
enum ReplacedSleep {
    /// A sample is replaced if more than this part of its time is stated by later deliveries.
    static let largestShare = 0.5

    private struct Record {
        var rows: [Int] = []
        var start = Int64.max
        var end = Int64.min
        var version = Int64.min
    }

    /// Returns the rows of `columns`, all of one origin, that do not count.
    static func rows(of columns: SampleColumns) -> Set<Int> {
        guard !columns.details.isEmpty else { return [] }
        return inRecords(columns).union(restated(columns))
    }

    private static func inRecords(_ columns: SampleColumns) -> Set<Int> {
        var records: [ExactText: Record] = [:]
        for (row, detail) in columns.details where columns.durations[row] > 0 {
            guard let name = record(detail, stage(columns, row)) else { continue }
            var record = records[name] ?? Record()
            record.rows.append(row)
            record.start = min(record.start, columns.starts[row])
            record.end = max(record.end, columns.starts[row] &+ columns.durations[row])
            record.version = max(record.version, detail.syncVersion ?? .min)
            records[name] = record
        }
        guard records.count > 1 else { return [] }
        let last = records.values.sorted { ($1.version, $0.start, $0.end) < ($0.version, $1.start, $1.end) }
        var counting = Coverage()
        var replaced: Set<Int> = []
        for record in last {
            let place = counting.first(endingAfter: record.start, from: 0)
            if place < counting.count, counting.starts[place] < record.end {
                replaced.formUnion(record.rows)
            } else {
                var own = Coverage()
                own.append(record.start, record.end)
                counting.formUnion(own)
            }
        }
        return replaced
    }

    /// Returns the identifier of the record to which a sample belongs; `nil` for a sample of its own. A session without
    /// stages is one sample of sleep, with the identifier and the version of its record.
    private static func record(_ detail: SampleDetail, _ stage: SleepStage?) -> ExactText? {
        guard let identifier = detail.externalID, detail.stateMilliseconds == nil, detail.syncVersion != nil else {
            return nil
        }
        if let end = identifier.utf8.firstIndex(of: UInt8(ascii: "#")) { return ExactText(String(identifier[..<end])) }
        return stage == .asleep && SampleID(identifier) != nil ? ExactText(identifier) : nil
    }

    private static func stage(_ columns: SampleColumns, _ row: Int) -> SleepStage? {
        Int(exactly: columns.values[row]).flatMap { SleepStage(healthKitValue: $0) }
    }

    private static func restated(_ columns: SampleColumns) -> Set<Int> {
        guard columns.details.contains(where: { $0.value.isRestated }) else { return [] }
        var replaced: Set<Int> = []
        for isInBed in [true, false] {
            let rows = columns.starts.indices.filter { row in
                columns.durations[row] > 0 && columns.details[row]?.externalID == nil
                    && (stage(columns, row) == .inBed) == isInBed
            }
            var later = Coverage()
            let byVersion = Dictionary(grouping: rows) { columns.details[$0]?.syncVersion ?? .min }
            for (_, rows) in byVersion.sorted(by: { $0.key > $1.key }) {
                let kept = rows.filter { row in
                    let (start, length) = (columns.starts[row], columns.durations[row])
                    var free: Int64 = 0
                    later.forEachGap(
                        from: start, to: start &+ length, startingAt: later.first(endingAfter: start, from: 0)
                    ) { free += $1 - $0 }
                    return Double(length - free) <= largestShare * Double(length)
                }
                replaced.formUnion(Set(rows).subtracting(kept))
                var own = Coverage()
                for row in kept.sorted(by: { columns.starts[$0] < columns.starts[$1] }) {
                    own.append(columns.starts[row], columns.starts[row] &+ columns.durations[row])
                }
                later.formUnion(own)
            }
        }
        return replaced
    }
}
