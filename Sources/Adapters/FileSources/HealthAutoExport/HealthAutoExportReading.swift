import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// A pass over files of the feed, with its account.
struct HealthAutoExportReading {
    private(set) var account = SourceReading()
    private var interpreter: HealthAutoExportInterpreter
    private var delivery: SampleDelivery
    private let cancellation: CancellationFlag
    private let decoder = JSONDecoder()
    private let includesOtherTypes: Bool
    private var unknownMetrics: Set<String> = []
    private var offsets = OffsetNotes()
    private var extent = StatedExtent()

    init(
        _ selection: SampleSelection, clock: DayClock?, cancellation: CancellationFlag,
        receive: @escaping SampleDelivery.Receiver
    ) {
        interpreter = HealthAutoExportInterpreter(selection, clock: clock)
        delivery = SampleDelivery(cancellation: cancellation, receive: receive)
        self.cancellation = cancellation
        includesOtherTypes = selection.includesOtherTypes
    }

    /// Reads one file; `name` is included in notes if there are several files.
    mutating func take(_ file: HealthAutoExportFile, name: String?) throws {
        try cancellation.check()
        interpreter.begin(file, spacing: spacing(of: file))
        try delivery.begin(statement: account.statements.count)
        extent = StatedExtent()
        defer { if let statement = extent.statement(of: file) { account.statements.append(statement) } }
        var place = Place(name: name, file: file, metric: "")
        if file.unreadNights > 0 { account.countSkipped("sleep_analysis", count: file.unreadNights) }
        do {
            try file.forEachMetric { metric in
                guard metric.entries != nil else { return }
                place.metric = metric.name ?? ""
                try take(metric, of: file, place)
            }
            try file.forEachUnreadPart { count($0, place) }
        } catch let broken as JSONCursor.Broken {
            breakOff(at: broken.offset, name)
        }
    }

    /// Reports a file of a folder that cannot be used; `isIncomplete` if the app may still be writing it.
    mutating func leaveOut(_ name: String, because reason: String, isIncomplete: Bool) {
        if isIncomplete { return breakOff(at: 0, name, because: reason) }
        account.note("\(name): skipped: \(reason)", at: nil)
    }

    /// Delivers the remaining samples.
    mutating func finish() throws {
        try delivery.flush()
        account.statedOffsets = offsets.ends
    }

    private struct Place {
        /// The name of the file, if there are several.
        var name: String?
        var file: HealthAutoExportFile
        var metric: String

        func text(_ what: String) -> String { name.map { "\($0): \(what)" } ?? what }
    }

    /// Determines the spacing of the buckets of a file. A truncated file counts as far as it goes.
    private func spacing(of file: HealthAutoExportFile) -> BucketSpacing {
        var spacing = BucketSpacing()
        try? file.forEachMetric { metric in
            guard case .quantity(let type, let kind, _)? = metric.name.flatMap(HealthAutoExportMetric.init(named:))
            else {
                return
            }
            try? file.forEachEntry(of: metric) { range in
                guard file.text("start", in: range) == nil, file.text("startDate", in: range) == nil,
                    let date = file.text("date", in: range).flatMap(HealthAutoExportDate.init)
                else { return }
                spacing.note(
                    date, metric.name == "heart_rate" ? .rate : kind == .cumulative ? .sum(type) : .measurement)
            }
        }
        spacing.settle()
        return spacing
    }

    private mutating func take(
        _ metric: HealthAutoExportFile.Metric, of file: HealthAutoExportFile, _ place: Place
    ) throws {
        guard let name = metric.name, let meaning = HealthAutoExportMetric(named: name) else {
            return try countEntries(ofUnknown: metric, of: file, place)
        }
        try file.forEachEntry(of: metric) { range in
            try cancellation.check()
            do {
                if let name = file.repeatedMember(in: range) {
                    throw RejectedRecord(RejectedRecord.repeatedMember, detail: "`\(name.prefix(64))` occurs twice")
                }
                let datum = try decode(file.bytes[range])
                if !file.hasLocalTimes { offsets.note(datum.date ?? datum.startDate ?? datum.start, Self.offset) }
                let samples = try interpreter.samples(of: datum, as: meaning, unit: metric.unit)
                account.recordsRead += samples.delivered.count + samples.notSelected.count
                for type in samples.notSelected { account.countNotSelected(type.rawValue) }
                for sample in samples.delivered {
                    extent.add(sample)
                    try delivery.add(sample)
                }
            } catch let rejected as RejectedRecord {
                reject(rejected, at: range.lowerBound, place)
            }
        }
    }

    private static func offset(_ text: String) -> StatedOffset? {
        HealthAutoExportDate(text).flatMap { date in
            date.statedOffset.map { StatedOffset(instant: date.instant, seconds: $0) }
        }
    }

    private func decode(_ entry: ArraySlice<UInt8>) throws(RejectedRecord) -> HealthAutoExportDatum {
        // The decoder would interpret bytes with zeros between them as UTF-16 or UTF-32.
        guard !entry.contains(0), String(validating: entry, as: UTF8.self) != nil else {
            throw RejectedRecord("not UTF-8")
        }
        do { return try decoder.decode(HealthAutoExportDatum.self, from: Data(entry)) } catch {
            throw RejectedRecord(error)
        }
    }

    private mutating func count(_ part: HealthAutoExportFile.UnreadPart, _ place: Place) {
        account.countSkipped(part.name, count: part.count)
        guard let fault = part.fault else { return }
        account.note(
            place.text("skipped: \(part.name) \(fault)"), at: place.file.position(of: part.offset))
    }

    /// Counts the entries of a metric that is not one of HealthKit's quantities.
    private mutating func countEntries(
        ofUnknown metric: HealthAutoExportFile.Metric, of file: HealthAutoExportFile, _ place: Place
    ) throws {
        let name = String((metric.name ?? "without a name").prefix(64))
        if unknownMetrics.count < 1000, unknownMetrics.insert(name).inserted {
            account.note(
                place.text("unknown metric skipped: \(name)"), at: place.file.position(of: metric.offset))
        }
        try file.forEachEntry(of: metric) { _ in
            account.recordsRead += 1
            if includesOtherTypes {
                account.rejected["entry of an unknown metric", default: 0] += 1
            } else {
                account.countNotSelected(name)
            }
        }
    }

    private mutating func reject(_ rejected: RejectedRecord, at offset: Int, _ place: Place) {
        account.recordsRead += 1
        account.rejected[rejected.reason, default: 0] += 1
        let what = rejected.detail ?? rejected.reason
        account.note(
            place.text("entry of \(place.metric) rejected: \(what)"), at: place.file.position(of: offset))
    }

    private mutating func breakOff(
        at offset: Int, _ name: String?, because reason: String = "is not valid JSON from here on"
    ) {
        account.incompleteAtByte = account.incompleteAtByte ?? Int64(offset)
        account.note(name.map { "\($0): \(reason)" } ?? reason, at: Int64(offset))
    }
}

/// The times of the samples of one file.
private struct StatedExtent {
    private var intervals: [SampleType: FeedStatement.Interval] = [:]
    private var latest: Instant?

    mutating func add(_ sample: SampleDelivery.Sample) {
        let type = sample.definition.type
        var interval =
            intervals[type]
            ?? FeedStatement.Interval(type: type, start: sample.interval.start, end: sample.interval.end)
        interval.start = min(interval.start, sample.interval.start)
        interval.end = max(interval.end, sample.interval.end)
        intervals[type] = interval
        // A bucket may not have ended when the file was written.
        let measured = sample.origin.isPreAggregated ? sample.interval.start : sample.interval.end
        latest = max(latest ?? measured, measured)
    }

    /// Returns what `file` states; `nil` if it contains no sample.
    func statement(of file: HealthAutoExportFile) -> FeedStatement? {
        guard !intervals.isEmpty else { return nil }
        return FeedStatement(
            version: FeedStatement.version(latest: latest, arrival: file.written),
            intervals: intervals.values.sorted { $0.type < $1.type }, hasLocalTimes: file.hasLocalTimes)
    }
}
