/// What each origin measured in each hour of the days, origin by origin, those of feeds last.
struct DiscreteLedger {
    /// What one origin measured in one hour bucket, or in a part of it.
    struct Entry {
        var day: Int
        var hourStart: Int64
        var sum: FigureSum
    }

    /// What counts, by day: first the entries of the origin that was added first.
    private(set) var entries: [[Entry]]
    /// What each origin says of a day, by day.
    private(set) var own: [[(sourceName: String, sum: FigureSum)]]
    private(set) var refused: [String: Int] = [:]

    private let days: DayRange
    private let summary: DiscreteSummary
    private let keepsStarts: Bool
    private var grids: [BucketGrid] = []
    /// Starts of what was measured, by day; kept only where means of a feed are to be compared with them.
    private var starts: [[Int64]]

    init(days: DayRange, summary: DiscreteSummary, keepsStarts: Bool) {
        self.days = days
        self.summary = summary
        self.keepsStarts = keepsStarts
        entries = [[Entry]](repeating: [], count: days.count)
        own = [[(sourceName: String, sum: FigureSum)]](repeating: [], count: days.count)
        starts = [[Int64]](repeating: [], count: keepsStarts ? days.count : 0)
    }

    /// Adds what `samples` measured; a mean of a feed only where nothing added before starts within its interval.
    mutating func add(_ samples: OriginSamples) {
        let measured = measured(by: samples)
        var first = 0
        while first < measured.count {
            let day = measured[first].day
            let end = measured[first...].firstIndex { $0.day != day } ?? measured.count
            add(measured[first..<end], day: day, sourceName: samples.origin.sourceName)
            first = end
        }
    }

    private mutating func add(_ measured: ArraySlice<Entry>, day: Int, sourceName: String) {
        if summary.choice == .bestOrigin, let best = own[day].first, best.sourceName != sourceName { return }
        entries[day] += measured
        var sum = FigureSum()
        for entry in measured { sum.add(entry.sum) }
        if let index = own[day].firstIndex(where: { $0.sourceName == sourceName }) {
            own[day][index].sum.add(sum)
        } else {
            own[day].append((sourceName, sum))
        }
    }

    private mutating func measured(by samples: OriginSamples) -> [Entry] {
        let columns = samples.columns.orderedUnique
        let gridOfZone = [gridIndex(nil)] + columns.zoneNames.map { gridIndex($0) }
        var result: [Entry] = []
        var newStarts: [(day: Int, start: Int64)] = []
        var hint = 0
        for index in 0..<columns.count {
            let start = columns.starts[index]
            let grid = columns.zones.isEmpty ? gridOfZone[0] : gridOfZone[Int(columns.zones[index])]
            guard let bucket = grids[grid].bucket(at: start, near: hint) else { continue }
            hint = bucket
            let day = grids[grid].dayOfBucket[bucket]
            let value = columns.values[index]
            let detail = columns.details.isEmpty ? nil : columns.details[index]
            let (low, high) = (detail?.minimum ?? value, detail?.maximum ?? value)
            guard summary.believes(value), summary.believes(low), summary.believes(high) else {
                refused["value out of range", default: 0] += 1
                continue
            }
            let count = max(1, detail?.measurementCount ?? 1)
            guard count <= DiscreteSummary.largestCount else {
                refused["more measurements than there can be", default: 0] += 1
                continue
            }
            if keepsStarts {
                let end = min(start &+ columns.durations[index], grids[grid].dayBounds[day + 1])
                if samples.origin.isPreAggregated, isMeasured(from: start, to: end, day: day) { continue }
                newStarts.append((day, start))
            }
            let hourStart = grids[grid].bounds[bucket]
            if result.last?.hourStart != hourStart || result.last?.day != day {
                result.append(Entry(day: day, hourStart: hourStart, sum: FigureSum()))
            }
            result[result.count - 1].sum.add(
                value, low: min(low, value), high: max(high, value), count: count, start: start)
        }
        for (day, start) in newStarts { starts[day].append(start) }
        for day in Set(newStarts.map(\.day)) { starts[day].sort() }
        return result
    }

    private func isMeasured(from start: Int64, to end: Int64, day: Int) -> Bool {
        let starts = starts[day]
        let low = starts.partitionPoint { $0 < start }
        return low < starts.count && (starts[low] < end || starts[low] == start)
    }

    private mutating func gridIndex(_ zone: String?) -> Int {
        let clock = summary.clock(zone)
        if let index = grids.firstIndex(where: { $0.clock == clock }) { return index }
        grids.append(BucketGrid(clock: clock, days: days))
        return grids.count - 1
    }
}
