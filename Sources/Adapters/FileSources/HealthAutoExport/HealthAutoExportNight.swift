import HealthSyncDomain

/// A night for which the app only provides sums: the time in each state, and the start and end of the night.
struct HealthAutoExportNight {
    /// The time in one state.
    struct Part {
        /// HealthKit's number for the state.
        let value: Int
        let interval: InstantRange
        let milliseconds: Int64
    }

    private static let longest: Int64 = 48 * 3_600_000

    let parts: [Part]
    /// The local day on which the night ended, which stays the same while the values of a night grow.
    let wakeDay: CalendarDay
    let end: Instant

    static func isNight(_ datum: HealthAutoExportDatum) -> Bool {
        datum.sleepStart != nil || datum.sleepEnd != nil || datum.inBedStart != nil || datum.inBedEnd != nil
    }

    /// Reads the older and the newer form; `hour` is the unit of the values in milliseconds.
    init(_ datum: HealthAutoExportDatum, unitMilliseconds hour: Double) throws(RejectedRecord) {
        let sleep = try Self.stretch(datum.sleepStart, datum.sleepEnd)
        let bed = try Self.stretch(datum.inBedStart, datum.inBedEnd)
        guard let last = sleep ?? bed else { throw RejectedRecord("a night without start or end") }
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
                throw RejectedRecord("a value of a night is out of range")
            }
            parts.append(Part(value: value, interval: stretch.interval, milliseconds: Int64(milliseconds)))
        }
        guard !parts.isEmpty else { throw RejectedRecord("a night without values") }
        self.parts = parts
    }

    private typealias Stretch = (interval: InstantRange, end: HealthAutoExportDate)

    private static func stretch(_ start: String?, _ end: String?) throws(RejectedRecord) -> Stretch? {
        guard let start, let end, !start.isEmpty, !end.isEmpty else { return nil }
        guard let first = HealthAutoExportDate(start), let last = HealthAutoExportDate(end) else {
            throw RejectedRecord("an invalid date")
        }
        let interval = try PlausibleTime.interval(from: first.instant, to: last.instant)
        guard interval.milliseconds <= longest else { throw RejectedRecord("a night longer than two days") }
        return (interval, last)
    }

    /// Returns the sleep without a stage. The older form has no stages, and `asleep` is all sleep. In the newer form it
    /// is the unspecified part, unless it equals the sum of the stages.
    private static func unspecified(_ datum: HealthAutoExportDatum) -> Double? {
        guard datum.core != nil || datum.deep != nil || datum.rem != nil else {
            return datum.asleep ?? datum.totalSleep
        }
        let staged = (datum.core ?? 0) + (datum.deep ?? 0) + (datum.rem ?? 0)
        guard let asleep = datum.asleep else { return nil }
        return staged > 0 && (asleep - staged).magnitude <= 1e-9 * staged ? nil : asleep
    }
}
