import HealthSyncDomain
import HealthSyncPorts

/// Reads the samples that a handler needs for its days.
struct WindowLoader: Sendable {
    let pages: any SamplePageStore
    let clock: DayClock
    let types: [SampleType]
    let reach: SampleReach

    /// The numbers of UTC days before and after a calendar day that may contain samples of it.
    struct Margin: Sendable, Hashable {
        var before: Int
        var after: Int
    }

    /// Returns the margin of each day. A sample is stored on the UTC day of its start, so the longest sample determines the
    /// days before. A sample may have its own zone, whose days begin up to 14 hours from UTC: one more day on each side.
    func marginDays() async throws -> Margin {
        let longest = try await pages.longestSample(of: types)
        let days =
            Int(min(longest, CumulativeMerge.longestSample) + CalendarDay.millisecondsPerDay - 1)
            / Int(CalendarDay.millisecondsPerDay)
        switch reach {
        case .days: return Margin(before: days + 1, after: 1)
        case .nights: return Margin(before: days + NightChains.daysBefore, after: NightChains.daysAfter)
        case .holding(let minutes):
            let held = max(Int64(minutes) * 60_000, min(longest, DiscreteSummary.longestHeldLength))
            let before = Self.farthestZone + held + CalendarDay.millisecondsPerDay - 1
            return Margin(before: Int(before / CalendarDay.millisecondsPerDay), after: 1)
        }
    }

    /// The longest time, in milliseconds, by which a zone's day begins before the UTC day: 14 hours today, almost 16 in the
    /// past.
    private static let farthestZone: Int64 = 16 * 3_600_000

    /// Returns the samples for `days`, each once.
    func load(_ days: DayRange) async throws -> SampleWindow {
        let margin = try await marginDays()
        var utcDays = days.widened(before: margin.before, after: margin.after)
        var window = try await samples(on: utcDays)
        guard case .nights(let gapMinutes) = reach else { return SampleWindow(window) }
        let chains = NightChains(gapMinutes: gapMinutes, longestDays: margin.before - NightChains.daysBefore)
        // A chain of samples without a gap may continue beyond the days that were read: read until it ends, twice as far
        // each time, so that a chain of years is read a few times and not once for every other day.
        var step = 2
        while let wider = try await widened(utcDays, by: step, days: days, window: window, chains: chains) {
            utcDays = wider
            step *= 2
            window = try await samples(on: utcDays)
        }
        return SampleWindow(window)
    }

    /// Returns those of `days` with a chain of samples that reaches beyond the pages of their digest.
    func nightsOfLongChains(in window: SampleWindow, among days: DayRange) -> [CalendarDay] {
        guard case .nights(let gapMinutes) = reach else { return [] }
        return NightChains(gapMinutes: gapMinutes, longestDays: 0)
            .beyondDigests(types.flatMap { window[$0] }, among: days)
    }

    /// Returns all samples of `window` as bytes; different samples give different bytes.
    func content(of window: SampleWindow) -> [UInt8] {
        var bytes: [UInt8] = []
        for samples in types.flatMap({ window[$0] }) {
            bytes += Array(samples.origin.canonicalText.utf8)
            for row in samples.columns.starts.indices {
                let columns = samples.columns
                for number in [
                    columns.starts[row], columns.durations[row], Int64(bitPattern: columns.values[row].bitPattern),
                ] {
                    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
                }
                bytes += Array((columns.zoneName(row) ?? "").utf8)
            }
        }
        return bytes
    }

    private func widened(
        _ read: DayRange, by step: Int, days: DayRange, window: [SampleType: [OriginSamples]], chains: NightChains
    ) async throws -> DayRange? {
        let open = chains.open(in: window.values.flatMap { $0 }, read: read, days: days)
        guard open.before || open.after, let extent = try await pages.dayExtent(of: types) else { return nil }
        let wider = read.widened(before: open.before ? step : 0, after: open.after ? step : 0)
        let goesOn = (open.before && read.first > extent.first) || (open.after && read.last < extent.last)
        return goesOn ? wider : nil
    }

    /// Returns the samples that start on `utcDays` by type, each measurement once.
    func samples(on utcDays: DayRange) async throws -> [SampleType: [OriginSamples]] {
        var read: [SampleType: [InputOrigin: SampleColumns]] = [:]
        for page in try await pages.pages(of: types, utcDays: utcDays) {
            let origin = InputOrigin(input: page.provider, origin: page.key.origin)
            try SamplePageCodec.decode(
                page.bytes, at: page.key, onto: &read[page.key.type, default: [:]][origin, default: SampleColumns()])
        }
        let deleted = InputSamples.deleted(try await pages.deletedRows(of: types, utcDays: utcDays))
        return Dictionary(
            uniqueKeysWithValues: read.map { type, columns in
                // Of equal buckets of several inputs, the one of the last input counts.
                let found = columns.sorted { $0.key.input < $1.key.input }
                    .map { InputSamples(input: $0.key.input, origin: $0.key.origin, columns: $0.value) }
                return (type, Self.origins(of: SampleMatching.matched(found + (deleted[type] ?? []))))
            })
    }

    private static func origins(of matched: [OriginSamples]) -> [OriginSamples] {
        Dictionary(grouping: matched, by: \.origin)
            .map { origin, parts in
                OriginSamples(origin: origin, columns: joined(parts.map(\.columns), isBucket: origin.isPreAggregated))
            }
            .sorted { $0.origin.orderingText < $1.origin.orderingText }
    }

    private struct InputOrigin: Hashable {
        let input: String
        let origin: SampleOrigin
    }

    private static func joined(_ parts: [SampleColumns], isBucket: Bool) -> SampleColumns {
        guard let first = parts.first else { return SampleColumns() }
        var all = first
        for part in parts.dropFirst() { all.append(part) }
        return all.normalized(isBucket ? .byBucket : .byContent).columns
    }
}

/// Chains of samples, of whichever recorders, with gaps of at most `gap`: only samples of the chains that touch a day can
/// change its nights.
private struct NightChains {
    /// The UTC days before and after a day that its digest contains, besides the length of the longest sample.
    static let daysBefore = 2
    static let daysAfter = 2

    /// Milliseconds.
    private let gap: Int64
    /// The days that the longest sample may last.
    private let longestDays: Int

    init(gapMinutes: Int, longestDays: Int) {
        gap = Int64(gapMinutes) * 60_000
        self.longestDays = longestDays
    }

    private struct Chain {
        var start: Int64
        var end: Int64
    }

    /// Returns whether samples before or after the days `read`, which were not loaded, may change the nights of `days`.
    func open(in samples: [OriginSamples], read: DayRange, days: DayRange) -> (before: Bool, after: Bool) {
        let touched = touched(days)
        let begins = read.first.advanced(by: longestDays).utcStart.milliseconds
        let ends = read.last.advanced(by: 1).utcStart.milliseconds
        var open = (before: false, after: false)
        for chain in chains(of: samples) where touches(chain, touched) {
            if chain.start < begins + gap { open.before = true }
            if chain.end > ends - gap { open.after = true }
        }
        return open
    }

    /// Returns those of `days` that a chain touches which reaches beyond the days of their digest.
    func beyondDigests(_ samples: [OriginSamples], among days: DayRange) -> [CalendarDay] {
        // Shorter chains end within the days of the digest wherever they touch the day.
        let long = chains(of: samples).filter { $0.end - $0.start > Self.shortChain - 2 * gap }
        guard !long.isEmpty else { return [] }
        return days.filter { day in
            let touched = touched(DayRange(day))
            let begins = day.advanced(by: -Self.daysBefore).utcStart.milliseconds + gap
            let ends = day.advanced(by: Self.daysAfter + 1).utcStart.milliseconds - gap
            return long.contains { touches($0, touched) && ($0.start < begins || $0.end > ends) }
        }
    }

    /// The times of the days in any zone: from noon of the day before to the end of the day.
    private func touched(_ days: DayRange) -> (start: Int64, end: Int64) {
        let noon = days.first.advanced(by: -1).utcStart.milliseconds + 12 * 3_600_000
        return (noon - Self.farthestZone, days.last.advanced(by: 1).utcStart.milliseconds + Self.farthestZone)
    }

    private func touches(_ chain: Chain, _ touched: (start: Int64, end: Int64)) -> Bool {
        chain.start < touched.end + gap && chain.end > touched.start - gap
    }

    private func chains(of samples: [OriginSamples]) -> [Chain] {
        var intervals = samples.flatMap { origin in
            origin.columns.starts.indices.map { index in
                Chain(
                    start: origin.columns.starts[index],
                    end: origin.columns.starts[index] + origin.columns.durations[index])
            }
        }
        intervals.sort { $0.start < $1.start }
        var chains: [Chain] = []
        for interval in intervals {
            if let last = chains.last, interval.start - last.end <= gap {
                chains[chains.count - 1].end = max(last.end, interval.end)
            } else {
                chains.append(interval)
            }
        }
        return chains
    }

    /// The longest time, in milliseconds, by which a zone's day begins before or after the UTC day.
    private static let farthestZone: Int64 = 16 * 3_600_000
    /// The times of a day are at least this far from the ends of its digest, in milliseconds.
    private static let shortChain: Int64 = 20 * 3_600_000
}
