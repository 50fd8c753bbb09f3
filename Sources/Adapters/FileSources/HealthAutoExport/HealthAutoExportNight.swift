import HealthSyncDomain

/// A night of which the app states sums only: the time in each state, and when the night began and ended.
struct HealthAutoExportNight {
    /// The time in one state.
    struct Part {
        /// HealthKit's number of the state.
        let value: Int
        let interval: InstantRange
        let milliseconds: Int64
    }

    private static let longest: Int64 = 48 * 3_600_000

    let parts: [Part]
    /// The day on which the night ended, on the wall clock: what stays while the figures of a night grow.
    let wakeDay: CalendarDay
    let end: Instant

    static func isNight(_ datum: HealthAutoExportDatum) -> Bool {
        datum.sleepStart != nil || datum.sleepEnd != nil || datum.inBedStart != nil || datum.inBedEnd != nil
    }

    /// Reads the older and the newer form; `hour` is the length in milliseconds of what figures count in.
    init(_ datum: HealthAutoExportDatum, unitMilliseconds hour: Double) throws(RefusedRecord) {
        let sleep = try Self.stretch(datum.sleepStart, datum.sleepEnd)
        let bed = try Self.stretch(datum.inBedStart, datum.inBedEnd)
        guard let last = sleep ?? bed else { throw RefusedRecord("a night without start or end") }
        wakeDay = last.end.day
        end = last.end.instant
        var parts: [Part] = []
        for (value, figure, stretch) in [
            (0, datum.inBed, bed ?? sleep), (1, Self.unspecified(datum), sleep), (2, datum.awake, sleep),
            (3, datum.core, sleep), (4, datum.deep, sleep), (5, datum.rem, sleep),
        ] {
            guard let figure, figure != 0, let stretch else { continue }
            let milliseconds = (figure * hour).rounded()
            guard milliseconds > 0, milliseconds <= Double(Self.longest) else {
                throw RefusedRecord("a figure of a night is out of range")
            }
            parts.append(Part(value: value, interval: stretch.interval, milliseconds: Int64(milliseconds)))
        }
        guard !parts.isEmpty else { throw RefusedRecord("a night without figures") }
        self.parts = parts
    }

    private typealias Stretch = (interval: InstantRange, end: HealthAutoExportDate)

    private static func stretch(_ start: String?, _ end: String?) throws(RefusedRecord) -> Stretch? {
        guard let start, let end, !start.isEmpty, !end.isEmpty else { return nil }
        guard let first = HealthAutoExportDate(start), let last = HealthAutoExportDate(end) else {
            throw RefusedRecord("a date cannot be read")
        }
        let interval = try PlausibleTime.interval(from: first.instant, to: last.instant)
        guard interval.milliseconds <= longest else { throw RefusedRecord("a night longer than two days") }
        return (interval, last)
    }

    /// Sleep without a stage. The older form knows no stages, and `asleep` is all of it. In the newer it is the
    /// unspecified part; where it equals the sum of the stages it is that sum and nothing beside it.
    private static func unspecified(_ datum: HealthAutoExportDatum) -> Double? {
        guard datum.core != nil || datum.deep != nil || datum.rem != nil else {
            return datum.asleep ?? datum.totalSleep
        }
        let staged = (datum.core ?? 0) + (datum.deep ?? 0) + (datum.rem ?? 0)
        guard let asleep = datum.asleep else { return nil }
        return staged > 0 && (asleep - staged).magnitude <= 1e-9 * staged ? nil : asleep
    }
}
