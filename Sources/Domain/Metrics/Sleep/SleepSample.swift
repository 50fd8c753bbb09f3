/// A sample of sleep: an interval in one stage, or the sum of a stage within a night.
struct SleepSample {
    let origin: SampleOrigin
    let stage: SleepStage
    let start: Instant
    let end: Instant
    let zoneName: String?
    /// The sum in milliseconds; `nil` if the sample is an interval.
    let sum: Int64?

    var interval: InstantRange { InstantRange(start: start, end: end) }

    /// Returns the plausible samples of `samples`. Calls `note` with the reason and the start of each other one.
    static func samples(
        of samples: OriginSamples, noting note: (String, Int64) -> Void
    ) -> [(sample: SleepSample, isSum: Bool)] {
        let columns = samples.columns
        let replaced = ReplacedSleep.rows(of: columns)
        return (0..<columns.count).compactMap { index in
            if replaced.contains(index) { return nil }
            guard let number = Int(exactly: columns.values[index]), let stage = SleepStage(healthKitValue: number)
            else {
                note("unknown stage", columns.starts[index])
                return nil
            }
            let sum = columns.details[index]?.stateMilliseconds
            if let reason = fault(stage, columns.durations[index], isSum: sum != nil) {
                note(reason, columns.starts[index])
                return nil
            }
            let interval = columns.interval(index)
            return (
                SleepSample(
                    origin: samples.origin, stage: stage, start: interval.start, end: interval.end,
                    zoneName: columns.zoneName(index), sum: sum), sum != nil
            )
        }
    }

    /// Returns why an interval is not a part of a session; `nil` if it is.
    private static func fault(_ stage: SleepStage, _ length: Int64, isSum: Bool) -> String? {
        if length > longest { return "longer than a week" }
        if isSum { return nil }
        if length == 0 { return "without length" }
        if stage == .inBed && length > longestInBed { return "more than 16 hours in bed" }
        if stage == .awake && length > longestAwake { return "more than three hours awake" }
        return nil
    }

    // One implausibly long sample would join the sessions of years.
    private static let longest: Int64 = 7 * 86_400_000
    /// The longest time in bed and awake, in milliseconds: an app wrote three nights in bed as one of 58 hours.
    private static let longestInBed: Int64 = 16 * 3_600_000
    private static let longestAwake: Int64 = 3 * 3_600_000
}

extension [SleepSample] {
    /// Returns the samples by start, end, stage and origin, each interval of a stage once.
    func uniqued() -> [SleepSample] {
        let ordered = sorted {
            // Texts are made only for samples of the same interval.
            if $0.start != $1.start { return $0.start < $1.start }
            if $0.end != $1.end { return $0.end < $1.end }
            return ($0.stage.rawValue, $0.sum ?? 0, $0.origin.orderingText)
                < ($1.stage.rawValue, $1.sum ?? 0, $1.origin.orderingText)
        }
        var kept: [SleepSample] = []
        for sample in ordered {
            if let last = kept.last, last.start == sample.start, last.end == sample.end, last.stage == sample.stage,
                last.sum == sample.sum
            {
                continue
            }
            kept.append(sample)
        }
        return kept
    }
}

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
    private static let largestShare = 0.5

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
