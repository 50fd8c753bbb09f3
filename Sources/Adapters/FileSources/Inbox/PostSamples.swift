import HealthSyncDomain
import HealthSyncPorts

/// Collects the samples of posts and the UTC offsets that they contain.
struct PostSamples {
    private static let longestText = 1024

    private var collector: SampleCollector
    private let clock: DayClock
    /// The version of the records and deletions that follow; `nil` if the app does not order its statements. Of several
    /// statements about a record the one with the highest version counts, whatever arrives last.
    var version: Int64?
    /// One for each local day.
    private var offsets: [CalendarDay: StatedOffset] = [:]

    init(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) {
        collector = SampleCollector(selection, receive: receive)
        clock = context.clock
    }

    var account: SourceReading {
        var account = collector.account
        account.statedOffsets = StatedOffset.ends(of: Array(offsets.values))
        return account
    }

    mutating func finish() throws -> SourceReading {
        _ = try collector.finish()
        return account
    }

    /// Adds the sample that `sample` returns, or counts a rejected record. `node` is where the record begins. `written` is
    /// how its value is written, if the sample states it in another unit.
    mutating func add(
        at node: JSONNode, written: WrittenNumber? = nil,
        _ sample: (inout PostSamples) throws(RejectedRecord) -> SourceSample
    ) throws {
        var result: SourceSample
        do throws(RejectedRecord) { result = try sample(&self) } catch {
            return collector.reject(error.reason, at: Int64(node.range.lowerBound))
        }
        if let version {
            if result.origin.isPreAggregated, result.detail == nil { result.detail = SampleDetail() }
            if result.origin.isPreAggregated || result.detail?.externalID != nil {
                result.detail?.syncVersion = version
            }
        }
        try collector.add(result, at: Int64(node.range.lowerBound), written: written)
    }

    /// Counts a record that cannot be used.
    mutating func reject(_ reason: String, at node: JSONNode) {
        collector.reject(reason, at: Int64(node.range.lowerBound))
    }

    /// Counts one record of a type that is not selected.
    mutating func countNotSelected() {
        collector.account.recordsRead += 1
        collector.account.notSelected += 1
    }

    /// Counts elements that are not samples.
    mutating func countSkipped(_ kind: String, count: Int = 1) {
        if count > 0 { collector.account.countSkipped(String(kind.prefix(64)), count: count) }
    }

    /// Notes a problem that concerns no single record.
    mutating func note(_ what: String) { collector.account.note(what, at: nil) }

    mutating func delete(_ id: String, of type: SampleType? = nil) {
        collector.account.deletions.append(
            DeletedSample(externalID: Self.externalID(id), type: type, version: version))
    }

    mutating func complete(_ window: CompleteWindow) { collector.complete(window) }

    mutating func complete(_ part: WindowPart) { collector.account.windowParts.append(part) }

    /// Notes that the post contains all samples of a record, which start at `starts`. Does nothing for a record without a
    /// version.
    mutating func stateAll(of record: String, type: SampleType, starts: [Instant]) {
        guard let version, let first = starts.min(), let last = starts.max() else { return }
        collector.account.statedRecords.append(
            StatedRecord(externalID: record, type: type, firstStart: first, lastStart: last, version: version))
    }

    mutating func deliver(_ number: DeliveryNumber) { collector.deliver(number) }

    /// Returns the type called `name`.
    mutating func type(named name: String) -> SampleType { collector.type(named: name) }

    /// Returns the instant of a time; one without an offset is in the user's zone.
    mutating func instant(_ text: String?) throws(RejectedRecord) -> Instant {
        guard let text else { throw RejectedRecord("a record without a time") }
        if let time = StatedTime(text) {
            if let seconds = time.offset { note(StatedOffset(instant: time.instant, seconds: seconds)) }
            return time.instant
        }
        guard let local = LocalTime(text) else { throw RejectedRecord("an invalid time") }
        return local.instant(in: clock)
    }

    /// Returns the interval between two times.
    mutating func interval(_ start: String?, _ end: String?) throws(RejectedRecord) -> InstantRange {
        try PlausibleTime.interval(from: try instant(start), to: try instant(end))
    }

    /// Returns whether the interval begins at a local midnight and is at least an hour long, as the sum of a day does.
    func beginsDay(_ interval: InstantRange) -> Bool {
        interval.milliseconds >= 3_600_000 && clock.start(of: clock.day(of: interval.start)) == interval.start
    }

    /// Notes a UTC offset that a record states.
    mutating func note(_ offset: StatedOffset) {
        let day = CalendarDay(utcDayOf: offset.instant.advanced(bySeconds: offset.seconds))
        if offsets[day] == nil, offsets.count < 100_000 { offsets[day] = offset }
    }

    /// Returns an identifier in the form in which it is compared: a UUID in lower case.
    static func externalID(_ text: String) -> String {
        SampleID(text)?.description ?? String(text.prefix(longestText))
    }

    /// Returns external text that is not longer than an identifier.
    static func short(_ text: String?) -> String { String((text ?? "").prefix(longestText)) }
}
