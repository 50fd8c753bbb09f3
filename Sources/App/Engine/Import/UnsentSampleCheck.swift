import HealthSyncDomain
import HealthSyncPorts

/// Counts the samples that exports contain and that the feeds never sent, although they cover the time and the source:
/// after each import, on the days that it changed and on the days that a feed covers for the first time.
struct UnsentSampleCheck {
    /// The days that are loaded at a time.
    private static let daysAtOnce = 31
    /// Days with at most this many others between them are loaded together, because a query costs more than some pages.
    private static let bridgedDays = 7

    let provider: String
    let isFeed: Bool
    let clock: DayClock
    let transaction: any SamplePageTransaction

    /// Whether an import can change a count: without a feed there is nothing to compare.
    var isNeeded: Bool { get throws { try isFeed || !transaction.feedWindows().isEmpty } }

    /// Updates the counts. `changed` has the summary of each page that was written, `nil` for one that was removed.
    func update(_ changed: [SamplePageKey: SamplePageSummary?]) throws {
        var days: [SampleType: Set<CalendarDay>] = [:]
        for key in changed.keys {
            days[key.type, default: []].insert(key.day)
            // A sum may reach into the next day.
            if key.origin.isPreAggregated { days[key.type, default: []].insert(key.day.advanced(by: 1)) }
        }
        if isFeed {
            for (type, more) in try extendWindows(changed) { days[type, default: []].formUnion(more) }
        }
        let windows = Dictionary(grouping: try transaction.feedWindows(), by: \.type)
        var exports: [String: Bool] = [:]
        for (type, days) in days {
            guard let windows = windows[type] else { continue }
            let covered = days.filter { day in windows.contains { $0.days.contains(day) } }.sorted()
            for run in DayRange.runs(of: covered, atMost: Self.daysAtOnce, bridging: Self.bridgedDays) {
                try count(type, run, windows, among: days, exports: &exports)
            }
        }
    }

    private func count(
        _ type: SampleType, _ run: DayRange, _ windows: [FeedWindow], among days: Set<CalendarDay>,
        exports: inout [String: Bool]
    ) throws {
        let pages = try transaction.pages(of: type, utcDays: run.widened(before: 1, after: 0))
        for provider in Set(pages.map(\.provider)) where exports[provider] == nil {
            exports[provider] = try isExport(provider)
        }
        // Without an export nothing was left out, and no page needs to be decoded.
        guard pages.contains(where: { exports[$0.provider] == true }) else {
            for day in run where days.contains(day) { try transaction.setUnsentSamples([:], of: type, utcDay: day) }
            return
        }
        var exported: [CalendarDay: [InputSamples]] = [:]
        var sent: [CalendarDay: [InputSamples]] = [:]
        for page in pages {
            let samples = InputSamples(
                input: page.provider, origin: page.key.origin,
                columns: try SamplePageCodec.decode(page.bytes, at: page.key))
            if exports[page.provider] == true {
                exported[page.key.day, default: []].append(samples)
            } else {
                sent[page.key.day, default: []].append(samples)
                guard page.key.origin.isPreAggregated else { continue }
                sent[page.key.day.advanced(by: 1), default: []].append(samples)
            }
        }
        for row in try transaction.deletedRows(of: type, utcDays: run) {
            guard let content = row.content else { continue }
            var columns = SampleColumns()
            columns.append(content)
            sent[content.key.day, default: []].append(
                InputSamples(input: row.provider, origin: content.key.origin, columns: columns))
        }
        let times = windows.map {
            UnsentSamples.Window(
                sourceName: $0.sourceName, times: $0.first.milliseconds...max($0.first, $0.last).milliseconds)
        }
        for day in run where days.contains(day) {
            let starts = UnsentSamples.starts(of: exported[day] ?? [], sent: sent[day] ?? [], windows: times)
            let counts = Dictionary(grouping: starts) { clock.day(of: Instant(milliseconds: $0)) }.mapValues(\.count)
            try transaction.setUnsentSamples(counts, of: type, utcDay: day)
        }
    }

    /// Whether the pages of a provider are from complete exports with a date.
    private func isExport(_ provider: String) throws -> Bool {
        try transaction.snapshotDates(provider: provider).isEmpty == false
    }

    /// Extends what the feed covers. Returns the days that it did not cover before.
    private func extendWindows(_ changed: [SamplePageKey: SamplePageSummary?]) throws -> [SampleType: Set<CalendarDay>]
    {
        var windows: [FeedWindow.Key: FeedWindow] = [:]
        for window in try transaction.feedWindows() where window.provider == provider { windows[window.key] = window }
        let before = windows
        for (key, summary) in changed {
            guard let summary else { continue }
            let name = key.origin.isPreAggregated ? nil : UnsentSamples.comparedName(key.origin.sourceName)
            let arriving = FeedWindow(
                provider: provider, type: key.type, sourceName: name, first: summary.firstStart, last: summary.lastEnd)
            windows[arriving.key] = windows[arriving.key]?.extended(by: arriving) ?? arriving
        }
        var days: [SampleType: Set<CalendarDay>] = [:]
        for (key, window) in windows where window != before[key] {
            try transaction.putFeedWindow(window)
            let known = before[key]?.days
            days[key.type, default: []].formUnion(
                window.days.filter { day in
                    known.map { day <= $0.first || $0.last <= day } ?? true
                })
        }
        return days
    }
}

extension FeedWindow {
    fileprivate struct Key: Hashable {
        let type: SampleType
        let sourceName: String?
    }

    fileprivate var key: Key { Key(type: type, sourceName: sourceName) }

    /// The UTC days of the window.
    fileprivate var days: DayRange {
        let day = CalendarDay(utcDayOf: first)
        return DayRange(day, through: CalendarDay(utcDayOf: last)) ?? DayRange(day)
    }

    fileprivate func extended(by other: FeedWindow) -> FeedWindow {
        var window = self
        window.first = min(first, other.first)
        window.last = max(last, other.last)
        return window
    }
}
