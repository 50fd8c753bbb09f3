/// The measurements of each origin in each hour of the days, one origin after another, feeds last.
struct DiscreteLedger {
    /// The measurements of one origin in an hour bucket or a part of it, and the measurements that hold there.
    struct Entry {
        var day: Int
        var hourStart: Int64
        var sum = FigureSum()
        /// The held measurements of this origin alone; `sum` excludes time that earlier origins cover.
        var own = HeldSum()
        /// Measurements of this origin that are copies of those of an earlier one.
        var copied = FigureSum()

        @inline(__always)
        fileprivate mutating func add(_ measurement: Measurement, from start: Int64, isCopy: Bool) {
            let (value, low, high, count) = measurement
            if isCopy {
                copied.add(value, low: low, high: high, count: count, start: start)
            } else {
                sum.add(value, low: low, high: high, count: count, start: start)
            }
        }
    }

    fileprivate typealias Measurement = (value: Double, low: Double, high: Double, count: Int)

    /// The entries that count by day, in the order in which origins were added. Days in which a measurement only holds have
    /// entries without a measurement.
    private(set) var entries: [[Entry]]
    /// The sums of each source alone, by day.
    private(set) var own: [[(sourceName: String, sum: FigureSum)]]
    private(set) var skipped: [String: Int] = [:]
    /// The index in `own` of each source, by day: a day may have tens of thousands of sources.
    private var ownIndex: [[ExactText: Int]]

    /// The requested days, and the days around them whose measurements may hold on them.
    private let days: DayRange
    /// The indices of the requested days in `days`.
    let requested: Range<Int>
    private let summary: DiscreteSummary
    private let keepsStarts: Bool
    private var grids: [BucketGrid] = []
    /// The starts of measurements by day; stored only if the means of a feed must be compared with them.
    private var starts: [[Int64]]
    /// The time for which measurements of the origins added so far hold.
    private var covered = Coverage()
    /// The measurements of the first origins, ascending.
    private var earlier = SampleColumns()
    private var originsCompared = 0
    /// Copies are sought among the measurements of so many origins: nobody has more, and comparing each origin with all others
    /// would take time that grows with the square of their number.
    private static let mostOriginsCompared = 16

    init(days: DayRange, summary: DiscreteSummary, keepsStarts: Bool) {
        // The measurement that holds longest begins on one of the two days before.
        let reach = summary.quantity.holdMilliseconds == nil ? (before: 0, after: 0) : (before: 2, after: 1)
        self.days = days.widened(before: reach.before, after: reach.after)
        requested = reach.before..<reach.before + days.count
        self.summary = summary
        self.keepsStarts = keepsStarts
        entries = [[Entry]](repeating: [], count: self.days.count)
        own = [[(sourceName: String, sum: FigureSum)]](repeating: [], count: self.days.count)
        ownIndex = [[ExactText: Int]](repeating: [:], count: self.days.count)
        starts = [[Int64]](repeating: [], count: keepsStarts ? self.days.count : 0)
    }

    /// Adds the measurements of `samples`; a mean of a feed only if no earlier measurement starts within its interval.
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
        if summary.choice == .bestOrigin, let best = own[day].first, !best.sourceName.hasSameBytes(as: sourceName) {
            return
        }
        entries[day] += measured
        var sum = FigureSum()
        for entry in measured {
            var alone = entry.sum
            alone.held = entry.own
            sum.add(alone)
            sum.add(entry.copied)
        }
        if let index = ownIndex[day][ExactText(sourceName)] {
            own[day][index].sum.add(sum)
        } else {
            ownIndex[day][ExactText(sourceName)] = own[day].count
            own[day].append((sourceName, sum))
        }
    }

    private mutating func measured(by samples: OriginSamples) -> [Entry] {
        let columns = samples.columns.orderedUnique
        var copies = CopyCursor(earlier)
        let gridOfZone = [gridIndex(nil)] + columns.zoneNames.map { gridIndex($0) }
        let offsets = [nil] + columns.zoneNames.map { samples.origin.isPreAggregated ? UTCOffset.seconds($0) : nil }
        var home = OffsetCursor(summary.rules.clock(forZone: nil))
        var result: [Entry] = []
        var newStarts: [(day: Int, start: Int64)] = []
        var holding = summary.quantity.holdMilliseconds.map { HeldMeasurements(longest: $0) }
        var cursor = 0
        var hint = 0
        for index in 0..<columns.count {
            let start = columns.starts[index]
            let zone = columns.zones.isEmpty ? 0 : Int(columns.zones[index])
            let stated = offsets[zone]
            // The user's clock contains the changes of clocks; a UTC offset does not.
            let grid = stated.map { home.offset(at: start) == $0 } ?? false ? gridOfZone[0] : gridOfZone[zone]
            guard let bucket = grids[grid].bucket(at: start, near: hint) else { continue }
            hint = bucket
            let day = grids[grid].dayOfBucket[bucket]
            guard let measurement = measurement(columns, index, day: day) else { continue }
            var length = columns.durations[index]
            if stated != nil, OffsetCursor.isWholeDay(start: start, length: length, of: grids[grid].clock) {
                length = min(length, grids[grid].dayBounds[day + 1] - start)
            }
            if keepsStarts {
                let end = min(start &+ length, grids[grid].dayBounds[day + 1])
                if samples.origin.isPreAggregated, isMeasured(from: start, to: end, day: day) { continue }
                newStarts.append((day, start))
            }
            if let ended = holding?.add(
                start: start, length: length, value: measurement.value, grid: grid, bucket: bucket)
            {
                distribute(ended, into: &result, &cursor)
            }
            Self.open(hour: grids[grid].bounds[bucket], day: day, in: &result)
            let isCopy = copies.contains(start: start, duration: columns.durations[index], value: columns.values[index])
            result[result.count - 1].add(measurement, from: start, isCopy: isCopy)
        }
        if !samples.origin.isPreAggregated, originsCompared < Self.mostOriginsCompared {
            originsCompared += 1
            earlier = earlier.isEmpty ? columns : earlier.merged(with: columns)
        }
        if let ended = holding?.end() { distribute(ended, into: &result, &cursor) }
        if let holding { covered.formUnion(holding.coverage) }
        for (day, start) in newStarts { starts[day].append(start) }
        for day in Set(newStarts.map(\.day)) { starts[day].sort() }
        return result
    }

    /// Returns the sample at `index`; `nil` if it is implausible, and then counts it as skipped.
    private mutating func measurement(
        _ columns: SampleColumns, _ index: Int, day: Int
    ) -> Measurement? {
        let value = summary.counted(columns.values[index])
        let detail = columns.details.isEmpty ? nil : columns.details[index]
        let (low, high) = (detail?.minimum.map(summary.counted) ?? value, detail?.maximum.map(summary.counted) ?? value)
        guard summary.isPlausible(value), summary.isPlausible(low), summary.isPlausible(high) else {
            skip("value out of range", day: day)
            return nil
        }
        let count = max(1, detail?.measurementCount ?? 1)
        guard count <= DiscreteSummary.largestCount else {
            skip("implausible number of measurements", day: day)
            return nil
        }
        return (value, min(low, value), max(high, value), count)
    }

    private mutating func skip(_ reason: String, day: Int) {
        if requested.contains(day) { skipped[reason, default: 0] += 1 }
    }

    /// Adds the held measurement to each hour, without the time that is already covered.
    private func distribute(_ held: HeldMeasurements.Held, into entries: inout [Entry], _ cursor: inout Int) {
        var (low, bucket) = (held.start, held.bucket)
        while low < held.end, bucket < grids[held.grid].bucketCount {
            let high = min(held.end, grids[held.grid].bounds[bucket + 1])
            Self.open(hour: grids[held.grid].bounds[bucket], day: grids[held.grid].dayOfBucket[bucket], in: &entries)
            var free: Int64 = 0
            cursor = covered.first(endingAfter: low, from: cursor)
            covered.forEachGap(from: low, to: high, startingAt: cursor) { free += $1 - $0 }
            entries[entries.count - 1].sum.held.add(held.value, for: free)
            entries[entries.count - 1].own.add(held.value, for: high - low)
            low = high
            bucket += 1
        }
    }

    /// Ensures that the last of `entries` is one of the hour.
    private static func open(hour: Int64, day: Int, in entries: inout [Entry]) {
        if entries.last?.hourStart != hour || entries.last?.day != day {
            entries.append(Entry(day: day, hourStart: hour))
        }
    }

    private func isMeasured(from start: Int64, to end: Int64, day: Int) -> Bool {
        let starts = starts[day]
        let low = starts.partitionPoint { $0 < start }
        return low < starts.count && (starts[low] < end || starts[low] == start)
    }

    private mutating func gridIndex(_ zone: String?) -> Int {
        let clock = summary.rules.clock(forZone: zone)
        if let index = grids.firstIndex(where: { $0.clock == clock }) { return index }
        grids.append(BucketGrid(clock: clock, days: days))
        return grids.count - 1
    }
}

/// Finds measurements with the same start, length and value as one of an earlier origin: its copy, as after a source was
/// renamed.
private struct CopyCursor {
    private let earlier: SampleColumns
    private var place = 0

    init(_ earlier: SampleColumns) { self.earlier = earlier }

    /// Must be called in ascending order.
    mutating func contains(start: Int64, duration: Int64, value: Double) -> Bool {
        while place < earlier.count,
            (earlier.starts[place], earlier.durations[place], earlier.values[place]) < (start, duration, value)
        { place += 1 }
        return place < earlier.count
            && (earlier.starts[place], earlier.durations[place], earlier.values[place]) == (start, duration, value)
    }
}

extension SampleColumns {
    /// Returns the starts, lengths and values of two columns in ascending order.
    fileprivate func merged(with other: SampleColumns) -> SampleColumns {
        var result = SampleColumns()
        var (mine, theirs) = (0, 0)
        while mine < count || theirs < other.count {
            let isMine =
                theirs == other.count
                || mine < count
                    && (starts[mine], durations[mine], values[mine])
                        <= (other.starts[theirs], other.durations[theirs], other.values[theirs])
            let (columns, row) = isMine ? (self, mine) : (other, theirs)
            result.append(start: columns.starts[row], duration: columns.durations[row], value: columns.values[row])
            if isMine { mine += 1 } else { theirs += 1 }
        }
        return result
    }
}

/// The time for which each measurement of one origin holds.
///
/// A measurement holds from its start until the next one starts, but at most for `longest`, or for its own length if that
/// is longer. For measurements that start together, their mean holds.
private struct HeldMeasurements {
    /// A measurement and the time for which it holds.
    struct Held {
        let start: Int64
        let end: Int64
        let value: Double
        /// The grid and the bucket of the start.
        let grid: Int
        let bucket: Int
    }

    private let longest: Int64
    private var start: Int64 = 0
    private var length: Int64 = 0
    private var sum = 0.0
    private var count = 0
    private var grid = 0
    private var bucket = 0
    /// The time that the measurements added so far cover.
    private(set) var coverage = Coverage()

    /// Creates a value without measurements.
    ///
    /// - Parameter longest: the longest time for which a measurement without length holds, in milliseconds.
    init(longest: Int64) { self.longest = longest }

    /// Adds a measurement that starts no earlier than the previous one. Returns the measurement that it ends.
    mutating func add(start: Int64, length: Int64, value: Double, grid: Int, bucket: Int) -> Held? {
        if count > 0, start == self.start {
            self.length = max(self.length, length)
            sum += value
            count += 1
            return nil
        }
        let ended = end(before: start)
        self.start = start
        self.length = length
        sum = value
        count = 1
        self.grid = grid
        self.bucket = bucket
        return ended
    }

    /// Ends the last measurement, at `next` at the latest.
    mutating func end(before next: Int64 = .max) -> Held? {
        guard count > 0 else { return nil }
        let end = min(next, start &+ max(longest, min(length, DiscreteSummary.longestHeldLength)))
        coverage.append(start, end)
        defer { count = 0 }
        return Held(start: start, end: end, value: sum / Double(count), grid: grid, bucket: bucket)
    }
}
