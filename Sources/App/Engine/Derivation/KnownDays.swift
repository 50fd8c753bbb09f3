import HealthSyncDomain
import HealthSyncPorts

/// Finds the days that concern the stored data.
struct KnownDays: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Returns the days with samples or records, or with intervals of deleted samples. The range is extended at both
    /// ends because a UTC day overlaps two calendar days and a night belongs to the day after.
    func find() async throws -> DayRange? {
        let samples = try await daysOfSamples(try await types())
        let records = try await ports.repository.recordedDays()
        var known = [samples, records].compactMap { $0 }
        if known.isEmpty { known = try await daysOfIntervals() }
        guard let first = known.map(\.first).min(), let last = known.map(\.last).max() else { return nil }
        return DayRange(first, through: last)?.widened(before: 1, after: 2)
    }

    /// Returns the days from the first to the last sample or record, without the extension; `nil` if nothing is stored.
    func stored() async throws -> DayRange? {
        let types = try await types()
        var stored = [try await ports.repository.recordedDays()].compactMap { $0 }
        if let utcDays = try await ports.pages.dayExtent(of: types) {
            let first = try await ports.pages.pages(of: types, utcDays: DayRange(utcDays.first))
            let last = try await ports.pages.pages(of: types, utcDays: DayRange(utcDays.last))
            // A sample of implausible length counts on one more day.
            let latest = utcDays.last.advanced(by: 2).utcStart
            if let start = first.map(\.summary.firstStart).min(), let end = last.map(\.summary.lastEnd).max(),
                let days = DayRange(
                    settings.clock.day(of: start),
                    through: settings.clock.day(of: max(start, min(end, latest).advanced(byMilliseconds: -1))))
            {
                stored.append(days)
            }
        }
        guard let first = stored.map(\.first).min(), let last = stored.map(\.last).max() else { return nil }
        return DayRange(first, through: last)
    }

    private func types() async throws -> [SampleType] {
        let settings = try await settings.active(in: ports)
        return (settings.handlers.flatMap(\.reads) + settings.rawTypes).map(\.type)
    }

    /// Returns the UTC days from the first start to the last end of a sample. The end of samples of implausible
    /// length is limited.
    private func daysOfSamples(_ types: [SampleType]) async throws -> DayRange? {
        guard let starts = try await ports.pages.dayExtent(of: types) else { return nil }
        guard try await ports.pages.longestSample(of: types) > CalendarDay.millisecondsPerDay else { return starts }
        let reach = Int(CumulativeMerge.longestSample / CalendarDay.millisecondsPerDay)
        let late = DayRange(starts.last).widened(before: reach, after: 0)
        let ends = try await ports.pages.pages(of: types, utcDays: late).map {
            min(CalendarDay(utcDayOf: $0.summary.lastEnd), $0.key.day.advanced(by: reach + 1))
        }
        return DayRange(starts.first, through: max(starts.last, ends.max() ?? starts.last))
    }

    private func daysOfIntervals() async throws -> [DayRange] {
        var days: [DayRange] = []
        for type in try await ports.intervals.layeredTypes().keys {
            let intervals = try await ports.intervals.intervals(of: type).map(\.interval)
            guard let first = intervals.first, let last = intervals.last,
                let range = DayRange(CalendarDay(utcDayOf: first.start), through: CalendarDay(utcDayOf: last.end))
            else { continue }
            days.append(range)
        }
        return days
    }
}
