import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Collects the samples of posts and the UTC offsets that they contain.
struct DecodedSamples {
    private static let longestText = 1024
    /// More than there are in use; a post with more invents them.
    private static let mostOffsets = 64

    private var collector: SampleCollector
    private let clock: DayClock
    /// The version of the records and deletions that follow; `nil` if the app does not order its statements. Of several
    /// statements about a record the one with the highest version counts, whatever arrives last.
    var version: Int64?
    /// The position of the delivery of a feed to which the samples belong; `nil` if the app sends identifiers.
    private var delivery: Int?
    /// The post as a delivery, before its first sample.
    private var pending: FeedStatement?
    /// The UTC offsets that the post states.
    private var ownOffsets: Set<Int64> = []
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

    /// A time that a post states may be so much later than its arrival, in seconds: clocks differ.
    private static let clockError: Int64 = 86_400

    /// Begins a post of an app without identifiers, made at the time `stated`. A post that states no time, or an
    /// implausible one, was made when it arrived. What a later post states for the same start replaces the earlier.
    mutating func begin(_ post: InboxPost, stated: String?) {
        ownOffsets = []
        let arrival = post.head.receivedAt
        let made = stated.flatMap { try? instant($0) } ?? arrival
        let isPlausible = made <= arrival.advanced(bySeconds: Self.clockError)
        pending = FeedStatement(
            version: (isPlausible ? made : arrival).milliseconds, intervals: [], keepsVersion: true)
        delivery = nil
    }

    /// Returns the position of the post among the deliveries; `nil` if the app sends identifiers. A post counts as a
    /// delivery when its first sample is added: one that cannot be decoded changes nothing.
    private mutating func begun() -> Int? {
        if let pending {
            delivery = collector.account.statements.count
            collector.account.statements.append(pending)
        }
        pending = nil
        return delivery
    }

    /// Adds the samples that `add` adds as one session of sleep, of which the post states all. Does nothing else for an app
    /// with identifiers.
    mutating func addSession(
        of sourceName: String, _ interval: InstantRange, _ add: (inout DecodedSamples) throws -> Void
    ) throws {
        guard let delivery = begun(), !interval.isEmpty else { return try add(&self) }
        var statement = collector.account.statements[delivery]
        statement.intervals = []
        statement.session = FeedStatement.Session(
            sourceName: sourceName, start: interval.start, end: interval.end)
        collector.account.statements.append(statement)
        self.delivery = collector.account.statements.count - 1
        try collector.begin(statement: self.delivery)
        try add(&self)
        self.delivery = delivery
        try collector.begin(statement: delivery)
    }

    /// Adds the sample that `sample` returns, or counts a rejected record. `node` is where the record begins. `written` is
    /// how its value is written, if the sample states it in another unit. A sample that `isIdentified` replaces no other.
    mutating func add(
        at node: JSONNode, written: WrittenNumber? = nil, isIdentified: Bool = false,
        _ sample: (inout DecodedSamples) throws(RejectedRecord) -> SourceSample
    ) throws {
        var result: SourceSample
        do throws(RejectedRecord) { result = try sample(&self) } catch {
            return collector.reject(error.reason, error.detail, at: Int64(node.range.lowerBound))
        }
        if let version {
            if result.origin.isPreAggregated, result.detail == nil { result.detail = SampleDetail() }
            if result.origin.isPreAggregated || result.detail?.externalID != nil {
                result.detail?.syncVersion = version
            }
        }
        if let delivery = begun() {
            try collector.begin(statement: isIdentified ? nil : delivery)
            if !isIdentified { note(result, of: delivery) }
        }
        try collector.add(result, at: Int64(node.range.lowerBound), written: written)
    }

    /// Notes the time of a sample without length, which has no version of its own.
    private mutating func note(_ sample: SourceSample, of delivery: Int) {
        guard sample.interval.isEmpty, sample.detail?.externalID == nil else { return }
        collector.account.statements[delivery].include(sample.type, sample.interval)
    }

    /// Counts a record that cannot be used.
    mutating func reject(_ reason: String, at node: JSONNode) {
        collector.reject(reason, at: Int64(node.range.lowerBound))
    }

    /// Counts one record of a type that is not selected.
    private mutating func countNotSelected(_ type: String) {
        collector.account.recordsRead += 1
        collector.account.countNotSelected(type)
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
    private mutating func type(named name: String) -> SampleType { collector.type(named: name) }

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

    /// The shortest sum of a day, in milliseconds: a shorter interval from midnight on may be anything.
    private static let shortestDay: Int64 = 3_600_000

    /// Returns whether the interval, whose start is written as `start`, begins at midnight and is as long as the sum of a
    /// day: at midnight of the user, of the start's own offset or `Z`, or of another offset in the post.
    func beginsDay(_ interval: InstantRange, start: String?) -> Bool {
        guard interval.milliseconds >= Self.shortestDay else { return false }
        if clock.start(of: clock.day(of: interval.start)) == interval.start { return true }
        let own = start.flatMap { StatedTime($0) }.map { $0.offset ?? 0 }
        return ownOffsets.union(own.map { [$0] } ?? []).contains { offset in
            let local = interval.start.advanced(bySeconds: offset)
            return CalendarDay(utcDayOf: local).utcStart == local
        }
    }

    /// Notes a UTC offset that a record states.
    mutating func note(_ offset: StatedOffset) {
        if ownOffsets.count < Self.mostOffsets { ownOffsets.insert(offset.seconds) }
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

extension DecodedSamples {
    /// Adds a sample in the form of a JSON line.
    mutating func add(_ node: JSONNode, as meaning: inout JSONLineMeaning) throws {
        let sample: SampleDelivery.Sample?
        let isIdentified: Bool
        let type: String
        do throws(RejectedRecord) {
            let line = try Self.line(node)
            isIdentified = line.isIdentified
            sample = try meaning.sample(of: line)
            type = meaning.typeName(of: line)
        } catch {
            return reject(error.reason, at: node)
        }
        guard let sample else { return countNotSelected(type) }
        try add(at: node, written: sample.written, isIdentified: isIdentified) { _ in
            SourceSample(
                type: sample.definition.type, unit: sample.definition.unit, origin: sample.origin,
                interval: sample.interval, value: sample.value, zoneName: sample.zoneName, detail: sample.detail)
        }
    }

    private static func line(_ node: JSONNode) throws(RejectedRecord) -> JSONLine {
        let bytes = node.bytes[node.range]
        // The decoder would interpret bytes with zeros between them as UTF-16 or UTF-32.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw RejectedRecord("not UTF-8")
        }
        if JSONCursor.repeatedMember(in: node.bytes, at: node.range.lowerBound) != nil {
            throw RejectedRecord(RejectedRecord.repeatedMember)
        }
        do { return try JSONDecoder().decode(JSONLine.self, from: Data(bytes)) } catch { throw RejectedRecord(error) }
    }
}

/// A time with a UTC offset: RFC 3339, or one of the forms of Health Auto Export.
struct StatedTime {
    let instant: Instant
    /// Seconds east of UTC if the text contains a numeric offset; `nil` for `Z`.
    let offset: Int64?

    init?(_ text: String) {
        if let instant = RFC3339.instant(text) {
            self.instant = instant
            offset = UTCOffset.seconds(text.suffix(6))
        } else if let date = HealthAutoExportDate(text) {
            instant = date.instant
            offset = date.statedOffset
        } else {
            return nil
        }
    }
}

/// Maps the spellings of units that apps use to HealthKit's.
enum InboxUnit {
    private static let spellings = [
        "bpm": "count/min", "BPM": "count/min", "breaths/min": "count/min", "rpm": "count/min", "steps": "count",
        "°C": "degC", "°F": "degF", "kg/m²": "count", "mL/kg/min": "mL/min·kg", "mL/kg*min": "mL/min·kg",
        "ml/kg*min": "mL/min·kg", "mL/(kg*min)": "mL/min·kg", "ml/(kg*min)": "mL/min·kg", "ml/kg/min": "mL/min·kg",
        "kcal/(kg*hr)": "kcal/hr·kg", "kcal/kg*hr": "kcal/hr·kg", "lbs": "lb", "h": "hr", "sec": "s",
    ]

    /// Returns HealthKit's spelling of `stated`.
    static func healthKit(_ stated: String) -> String { spellings[stated] ?? stated }
}
