import HealthSyncTestKit
import HealthSyncTestTools
import Synchronization
import Testing

@testable import HealthSyncDomain

/// The numbers of rules that no other test meets at their boundaries.
@Suite("Limits, on both sides of each") struct LimitTests {
    private let day = CalendarDay(ordinal: 19_737)  // 2024-01-15

    @Test(
        "A measurement may be the mean of 10,000,000,000",
        arguments: [(10_000_000_000, true), (10_000_000_001, false)])
    func measurements(count: Int, counts: Bool) throws {
        let series = SampleSeries("Watch").adding(
            60, at: "2024-01-15T08:00:00Z", detail: SampleDetail(measurementCount: count))
        let summary = DiscreteSummary(
            metric: .heartRate, unit: "count/min", days: DayRange(day),
            rules: DerivationRules(clock: DayClock(home: .utc)))
        let days = summary.days(of: [series.samples])
        #expect((days.progress.first?.figures.count == count) == counts)
        #expect(days.skipped.isEmpty == counts)
    }

    @Test(
        "The trend of the resting heart rate needs 60 rates and 365 days",
        arguments: [(365, 60, true), (364, 60, false), (365, 59, false)])
    func restingTrend(days: Int, rates: Int, exists: Bool) {
        // One at each end, and the others next to the first one.
        let offsets = Array(0..<(rates - 1)) + [days - 1]
        let progress = offsets.map {
            RandomDays.progress(.restingHeartRate, day.advanced(by: $0), ProgressFigures(quantity: 60))
        }
        let range = DayRange(day).widened(before: 0, after: days)
        #expect((HeartOverview(days: range, progress: progress).restingChangePerYear != nil) == exists)
    }

    @Test(
        "The trend of a metric needs 730 days and 12 months",
        arguments: [(730, 12, true), (729, 12, false), (730, 11, false)])
    func metricTrend(span: Int, months: Int, exists: Bool) throws {
        let first = try #require(CalendarDay("2020-01-01"))
        // Ten days in each month, the last day of the span, and enough days in its month unless it is not to count.
        var days = Set([first.advanced(by: span - 1)])
        for month in 0..<months {
            let start = first.advanced(byMonths: month)
            for number in 0..<10 { days.insert(start.advanced(by: number)) }
        }
        let history = MetricHistory(days.sorted().map { DailyQuantity(day: $0, quantity: 1) })
        #expect((history.changePerYear != nil) == exists)
    }

    @Test("A token is valid until 2200 at the latest", arguments: [("2200-12-31", true), ("2201-01-01", false)])
    func tokens(last: String, isAllowed: Bool) throws {
        var request = AccessTokenRequest(user: try #require(UserName("anna")), scopes: [.read])
        request.lastDay = CalendarDay(last)
        let issue = { [request] in
            _ = try request.issue(
                at: Instant(seconds: 0), dayName: "--until", random: { [UInt8](repeating: 1, count: $0) },
                digest: { $0 })
        }
        if isAllowed { try issue() } else { #expect(throws: SyncFailure.self) { try issue() } }
    }

    @Test("The latest five days with unsent samples are listed", arguments: [(5, false), (6, true)])
    func unsentDays(count: Int, isCut: Bool) {
        let days = Dictionary(uniqueKeysWithValues: (0..<count).map { (day.advanced(by: $0), 1) })
        let summary = UnsentSamples(days: days).summary ?? ""
        #expect(summary.contains("the latest are") == isCut)
        #expect(summary.contains("\(day)") != isCut && summary.contains("\(day.advanced(by: count - 1))"))
    }

    @Test("The latest 1,000 gaps of a series of deliveries are kept", arguments: [(1_000, 2), (1_001, 4)])
    func gaps(count: Int64, first: Int64) {
        var series = DeliverySequence(.init(sender: "Hozz", series: ""), first: 1)
        for number in 1...count { series.receive(1 + 2 * number) }
        #expect(series.missing.count == 1_000 && series.missing.first == first...first)
    }

    @Test(
        "A delivery is dated by its last measurement for 48 hours",
        arguments: [(172_800_000, true), (172_800_001, false)])
    func currentDeliveries(age: Int64, isCurrent: Bool) {
        let latest = Instant(seconds: 1_705_305_600)
        let arrival = latest.advanced(byMilliseconds: age)
        let version = FeedStatement.version(latest: latest, arrival: arrival)
        #expect(version == (isCurrent ? latest : arrival).milliseconds)
    }

    private func sample(zone: String? = nil, unit: String? = nil) -> SampleBatchBuilder.Sample {
        let start = Instant(seconds: 1_705_305_600)
        let written = unit.map {
            WrittenNumber(
                notation: ValueNotation(unit: $0, conversion: UnitConversion(factor: 1), dropsZeros: true), scale: 0)
        }
        return SampleBatchBuilder.Sample(
            definition: .stepCount, origin: SampleOrigin(sourceName: "App"),
            interval: InstantRange(start: start, end: start), value: 1, zoneName: zone, detail: nil, written: written)
    }

    @Test("A reading knows 4,096 time zones", arguments: [(4_096, true), (4_097, false)])
    func zones(count: Int, allKnown: Bool) throws {
        var builder = SampleBatchBuilder { _ in }
        for number in 0..<count { try builder.add(sample(zone: "Zone/\(number)")) }
        #expect((builder.zoneProblem == nil) == allKnown)
    }

    @Test("A reading knows 16,384 notations")
    func notations() throws {
        let last = Locked<[WrittenValue]>([])
        var builder = SampleBatchBuilder { batch in
            let written = batch.written
            last.value = written
        }
        for number in 0...16_384 { try builder.add(sample(unit: "unit\(number)")) }
        try builder.flush()
        #expect(last.value.last == .unknown)
        try builder.add(sample(unit: "unit16383"))
        try builder.flush()
        #expect(last.value.first?.notation == 16_384)
    }

    @Test("A page knows 255 notations")
    func notationsOfAPage() {
        var columns = SampleColumns()
        let numbers = (0..<256).map { number in
            columns.number(
                of: ValueNotation(unit: "unit\(number)", conversion: UnitConversion(factor: 1), dropsZeros: true))
        }
        #expect(numbers.prefix(255) == (1...255).map(UInt16.init)[...] && numbers.last == 0)
    }

    @Test("A reading finds 4,096 types that are not selected")
    func types() throws {
        var types = SelectedTypes(SampleSelection(types: [], includesOtherTypes: true))
        for number in 0..<4_096 { _ = try types.definition(of: SampleType(rawValue: "type\(number)"), unit: "") }
        #expect(throws: TooManyTypes.self) { try types.definition(of: SampleType(rawValue: "another"), unit: "") }
    }

    @Test(
        "A written number keeps its digits below 2^53",
        arguments: [(0x1p53 - 1, 0), (0x1p53, WrittenValue.full)] as [(Double, Int8)])
    func writtenNumbers(number: Double, scale: Int8) {
        #expect(DecimalPlaces.scale(of: number, decimals: 0) == scale)
        #expect(DecimalPlaces.scale(of: -number, decimals: 0) == scale)
    }

    @Test("A change of the past is stated for 30 days", arguments: [(2_591_999_999, true), (2_592_000_000, false)])
    func historyChange(age: Int64, isShown: Bool) {
        let figure = HistoryChange.Figure(metric: .steps, day: day, unit: "count", former: 1, quantity: 2)
        let at = Instant(seconds: 0)
        let change = HistoryChange(version: "1", at: at, nights: 0, figures: 1, last: figure)
        #expect(change.isShown(at: at.advanced(byMilliseconds: age)) == isShown)
    }

    @Test("Records within half an hour may be on two days of their zone")
    func quarters() throws {
        // Midnight in Nepal is at 18:15 UTC.
        let midnight: Int64 = 1_705_342_500_000
        var stated = StatedZones(rules: ZoneRules.init(identifier:))
        stated.count(
            starts: [midnight - 300_000, midnight + 300_000], zones: [1, 1], names: ["Asia/Kathmandu"])
        let records = stated.zones["Asia/Kathmandu"]?.days.mapValues(\.records)
        #expect(records == [day: 1, day.advanced(by: 1): 1])
    }

    @Test("A server's days follow 200 moves", arguments: [(200, true), (201, false)])
    func moves(count: Int, allFollowed: Bool) throws {
        let zones = try ["Asia/Tokyo", "Europe/Paris"].map { DayClock(home: try ZoneRules(identifier: $0)) }
        var starts: [CalendarDay: Instant] = [:]
        for number in 0..<count {
            let day = day.advanced(by: number)
            starts[day] = zones[number % 2].start(of: day)
        }
        let found = DayStarts(starts).clock(usual: DayClock(home: .utc)) { name throws(UnknownTimeZone) in
            try ZoneRules(identifier: name)
        }
        let last = day.advanced(by: count - 1)
        #expect((found.start(of: last) == starts[last]) == allFollowed)
    }

    @Test("A value is compared with 64 values on each side", arguments: [(63, true), (64, false)])
    func neighbors(between: Int, isJoined: Bool) {
        let start: Int64 = 1_705_305_600_000
        let exact = ValueNotation(unit: "", conversion: UnitConversion(factor: 1), dropsZeros: false)
        func samples(_ input: String, _ values: [(value: Double, scale: Int8)]) -> InputSamples {
            var columns = SampleColumns()
            for (value, scale) in values {
                let written = columns.writtenValue(of: WrittenNumber(notation: exact, scale: scale))
                columns.append(
                    start: start, duration: 0, value: value, zoneName: nil, detail: nil, written: written)
            }
            return InputSamples(input: input, origin: SampleOrigin(sourceName: "Scale"), columns: columns)
        }
        // 5.5 is 10, rounded to tens, and none of the values between them.
        let others = (1...between).map { (value: 5.5 + Double($0) / 1_000, scale: Int8(3)) } + [(10, -1)]
        let matched = SampleMatching.matched([samples("one", others), samples("two", [(5.5, 3)])])
        let count = matched.reduce(0) { $0 + $1.columns.count }
        #expect(count == others.count + (isJoined ? 0 : 1))
    }

    @Test("An offset is written up to 23:59", arguments: [(86_340, "+23:59"), (86_400, "+23:59"), (-90_000, "-23:59")])
    func offsets(seconds: Int64, text: String) {
        #expect(RFC3339.string(Instant(seconds: 0), offsetSeconds: seconds).hasSuffix(text))
    }

    @Test(
        "Outside the years 1900 to 2099 the nearest offset of a zone applies",
        arguments: [
            ("America/New_York", "1880-01-01", -18_000), ("America/New_York", "1900-01-02", -18_000),
            ("Europe/Paris", "2099-07-01", 7_200), ("Europe/Paris", "2100-07-01", 3_600),
        ])
    func years(zone: String, day: String, offset: Int64) throws {
        let rules = try ZoneRules(identifier: zone)
        #expect(rules.offsetSeconds(at: try #require(CalendarDay(day)).utcStart) == offset)
    }
}

/// A value that a closure sets.
private final class Locked<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) { stored = Mutex(value) }

    var value: Value {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
