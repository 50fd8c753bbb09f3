import HealthSyncDomain

/// A sample as tests write it: minutes count from 2024-01-15T00:00:00Z.
struct Fact: Hashable, Comparable {
    static let firstDay = CalendarDay(ordinal: 19_737)
    static let phone = SampleOrigin(sourceName: "iPhone", device: "name:iPhone, software:17.1")
    static let watch = SampleOrigin(sourceName: "Watch", device: "name:Apple Watch, software:10.1")
    static let buckets = SampleOrigin(sourceName: "iPhone", isPreAggregated: true)

    var type = SampleTypeDefinition.stepCount
    var origin = Fact.phone
    var minute: Int
    var minutes = 10
    var value: Double

    /// Returns steps within ten minutes from `hour` o’clock on day `day`.
    static func steps(
        _ value: Double, day: Int, hour: Int = 8, origin: SampleOrigin = Fact.phone, minutes: Int = 10
    ) -> Fact {
        Fact(origin: origin, minute: day * 1_440 + hour * 60, minutes: minutes, value: value)
    }

    /// Returns a heart rate at `hour` o’clock on day `day`.
    static func heartRate(_ value: Double, day: Int, hour: Int = 8) -> Fact {
        Fact(type: .heartRate, origin: watch, minute: day * 1_440 + hour * 60, minutes: 0, value: value)
    }

    /// Returns core sleep from a minute after the midnight before day 0.
    static func core(from minute: Int, minutes: Int, origin: SampleOrigin = Fact.watch) -> Fact {
        Fact(type: .sleepAnalysis, origin: origin, minute: minute, minutes: minutes, value: 3)
    }

    var start: Instant { Self.firstDay.utcStart.advanced(bySeconds: Int64(minute) * 60) }

    static func day(_ number: Int) -> CalendarDay { firstDay.advanced(by: number) }

    static func days(_ first: Int, _ last: Int) -> DayRange {
        DayRange(day(first)).widened(before: 0, after: last - first)
    }

    static func < (left: Fact, right: Fact) -> Bool {
        (left.type.type, left.origin.canonicalText, left.minute, left.minutes, left.value)
            < (right.type.type, right.origin.canonicalText, right.minute, right.minutes, right.value)
    }
}
