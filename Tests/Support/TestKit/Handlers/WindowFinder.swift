import HealthSyncDomain
import HealthSyncPorts

/// Finds the samples in the reach of a handler.
struct WindowFinder {
    /// The samples of one type and origin within a window.
    struct Content: Equatable {
        var type: SampleType
        var origin: SampleOrigin
        var columns: SampleColumns
    }

    let samples: [SampleType: [OriginSamples]]
    let types: [SampleType]
    let reach: SampleReach
    let clock: DayClock
    let zone: (String?) -> DayClock

    /// Returns the window of `days`.
    func window(of days: DayRange) -> SampleWindow {
        var found: [SampleType: [OriginSamples]] = [:]
        for content in contents(of: days) {
            found[content.type, default: []].append(OriginSamples(origin: content.origin, columns: content.columns))
        }
        return SampleWindow(found)
    }

    /// Returns the samples in the window of one day.
    func content(of day: CalendarDay) -> [Content] { contents(of: DayRange(day)) }

    private func contents(of days: DayRange) -> [Content] {
        var stretches: [String?: InstantRange] = [:]
        for name in zoneNames { stretches[name] = stretch(days, zone(name)) }
        if case .nights(let gapMinutes) = reach {
            let chained = chained(stretch(days, clock), with: Array(stretches.values), gap: Int64(gapMinutes) * 60_000)
            for name in zoneNames { stretches[name] = chained }
        }
        if case .holding(let minutes) = reach {
            // Time that a sample of one zone holds may be covered by a sample of another zone.
            let starts = stretches.values.map(\.start), ends = stretches.values.map(\.end)
            let home = stretch(days, clock)
            let whole = InstantRange(
                start: (starts.min() ?? home.start).advanced(bySeconds: Int64(minutes) * -60),
                end: ends.max() ?? home.end)
            for name in zoneNames { stretches[name] = whole }
        }
        return ordered.compactMap { type, origin in
            let columns = origin.columns
            let touching = (0..<columns.count).filter { index in
                guard let stretch = stretches[columns.zoneName(index)] else { return false }
                return Self.touches(columns.interval(index), stretch)
            }
            .sorted { (columns.starts[$0], $0) < (columns.starts[$1], $1) }
            return touching.isEmpty
                ? nil : Content(type: type, origin: origin.origin, columns: columns.selecting(touching))
        }
    }

    private var ordered: [(SampleType, OriginSamples)] {
        types.flatMap { type in
            (samples[type] ?? []).sorted { $0.origin.canonicalText < $1.origin.canonicalText }.map { (type, $0) }
        }
    }

    private var zoneNames: Set<String?> {
        Set([nil]).union(types.flatMap { samples[$0] ?? [] }.flatMap { $0.columns.zoneNames.map(Optional.some) })
    }

    private func stretch(_ days: DayRange, _ clock: DayClock) -> InstantRange {
        switch reach {
        case .days, .holding: clock.interval(of: days)
        case .nights: InstantRange(start: clock.night(of: days.first).start, end: clock.interval(of: days).end)
        }
    }

    /// Returns the intervals joined, extended by every chain of samples that reaches into them.
    private func chained(_ home: InstantRange, with stretches: [InstantRange], gap: Int64) -> InstantRange {
        var whole = stretches.reduce(home) {
            InstantRange(start: min($0.start, $1.start), end: max($0.end, $1.end))
        }
        var grew = true
        while grew {
            grew = false
            for (_, origin) in ordered {
                for index in 0..<origin.columns.count {
                    let sample = origin.columns.interval(index)
                    guard sample.start <= whole.end.advanced(byMilliseconds: gap),
                        whole.start <= sample.end.advanced(byMilliseconds: gap),
                        sample.start < whole.start || sample.end > whole.end
                    else { continue }
                    whole = InstantRange(start: min(whole.start, sample.start), end: max(whole.end, sample.end))
                    grew = true
                }
            }
        }
        return whole
    }

    private static func touches(_ sample: InstantRange, _ stretch: InstantRange) -> Bool {
        sample.isEmpty ? stretch.contains(sample.start) : sample.intersection(stretch) != nil
    }
}
