/// The state of one merge: the amounts that count so far, and the time that the merged origins cover.
struct MergeRun {
    let days: DayRange
    let isWhole: Bool
    /// An event, as far as its copies are equal.
    private struct Event: Hashable {
        let start: Int64
        let length: Int64
        let value: Double
    }

    private(set) var skipped: [String: Int] = [:]
    private(set) var tallies: [MergeTally] = []
    private let keepsPieces: Bool
    private let clock: (String?) -> DayClock
    /// Instants at which hours are divided further, ascending.
    private let cuts: [Int64]
    private var coverage = Coverage()
    private var instants = HourlyInstants()
    private var events: Set<Event> = []
    /// The entries by hand without length of the origins added so far.
    private var entered: Set<Event> = []
    private var ownNames: [String] = []
    private var indicesOfNames: [ExactText: Int] = [:]
    /// For each name in `ownNames` the quantity by day; `nil` without samples.
    private var own: [[Double?]] = []

    init(
        days: DayRange, isWhole: Bool, keepsPieces: Bool, cuts: [Int64], clock: @escaping (String?) -> DayClock
    ) {
        self.days = days
        self.cuts = cuts
        self.isWhole = isWhole
        self.keepsPieces = keepsPieces
        self.clock = clock
    }

    /// Counts the parts of `samples` outside the coverage so far, and then adds them to the coverage, unless they are the
    /// last ones.
    mutating func add(_ samples: OriginSamples, isLast: Bool) {
        let name = indexOfName(samples.origin.sourceName)
        let isEntered = samples.origin.isUserEntered
        var uncovered: [HourlyInstants.Entry] = []
        var cursor = 0
        let earlier = entered
        let columns = forEachDayPart(of: samples) { run, part, _, tally, bucket in
            run.addOwn(part.amount, name: name, day: part.day)
            cursor = run.coverage.first(endingAfter: part.start, from: cursor)
            if part.start == part.end {
                if isEntered {
                    // A renamed source repeats its entries.
                    let entry = Event(start: part.start, length: 0, value: part.amount)
                    guard !earlier.contains(entry) else { return }
                    run.entered.insert(entry)
                    run.tallies[tally].add(part.amount, from: part.start, to: part.end, bucket: bucket)
                } else if !run.coverage.holds(part.start, at: cursor) {
                    let hour = run.tallies[tally].grid.hourOfBucket[bucket]
                    uncovered.append(.init(part: part, hour: hour, tally: tally, bucket: bucket))
                }
            } else {
                run.addUncovered(part, tally: tally, bucket: bucket, cursor: cursor)
            }
        }
        for (entry, amount) in instants.additions(of: uncovered) {
            tallies[entry.tally].add(amount, from: entry.part.start, to: entry.part.end, bucket: entry.bucket)
        }
        if !isLast { coverage.formUnion(Coverage(of: columns)) }
    }

    /// Counts the events of an origin, except copies of events that were added before.
    mutating func addEvents(_ samples: OriginSamples) {
        let name = indexOfName(samples.origin.sourceName)
        let earlier = events
        let columns = samples.columns.orderedUnique(by: .events)
        let own = (0..<columns.count).map { index in
            Event(start: columns.starts[index], length: columns.durations[index], value: columns.values[index])
        }
        _ = forEachDayPart(of: samples, by: .events) { run, part, index, tally, bucket in
            run.addOwn(part.amount, name: name, day: part.day)
            guard !earlier.contains(own[index]) else { return }
            run.tallies[tally].add(part.amount, from: part.start, to: part.end, bucket: bucket)
        }
        events.formUnion(own)
    }

    /// Adds the samples of a feed to `feeds`.
    mutating func collect(_ samples: OriginSamples, rank: Int, into feeds: inout FeedMerge) {
        let name = indexOfName(samples.origin.sourceName)
        var parts: [FeedPart] = []
        _ = forEachDayPart(of: samples) { _, part, _, tally, _ in
            parts.append(FeedPart(part: part, rank: rank, name: name, tally: tally))
        }
        feeds.add(parts)
    }

    /// Adds to the quantity of one source alone.
    mutating func addOwn(_ amount: Double, name: Int, day: Int) { own[name][day] = (own[name][day] ?? 0) + amount }

    /// Counts `amount` in the interval, which must lie within one day of the grid of `tally`.
    mutating func count(_ amount: Double, from start: Int64, to end: Int64, tally: Int) {
        guard let bucket = tallies[tally].grid.bucket(at: start, near: 0) else { return }
        tallies[tally].add(amount, from: start, to: end, bucket: bucket)
    }

    /// Returns the hours with measurements of each day, ascending.
    func hoursByDay() -> [[(start: Int64, amount: Double)]] {
        var result = [[(start: Int64, amount: Double)]](repeating: [], count: days.count)
        for tally in tallies {
            for bucket in 0..<tally.grid.bucketCount where tally.isMeasured[bucket] {
                let day = tally.grid.dayOfBucket[bucket]
                result[day].append((tally.grid.bounds[bucket], tally.amounts[bucket]))
            }
        }
        return tallies.count < 2 ? result : result.map(Self.joined)
    }

    /// Returns the amount of each bucket with measurements, by clock and then ascending.
    func stretches() -> [MergedStretch] {
        tallies.flatMap { tally in
            (0..<tally.grid.bucketCount).filter { tally.isMeasured[$0] }.map { bucket in
                MergedStretch(
                    day: days.first.advanced(by: tally.grid.dayOfBucket[bucket]),
                    hour: Instant(milliseconds: tally.grid.hourOfBucket[bucket]),
                    range: InstantRange(
                        start: Instant(milliseconds: tally.grid.bounds[bucket]),
                        end: Instant(milliseconds: tally.grid.bounds[bucket + 1])),
                    amount: tally.amounts[bucket])
            }
        }
    }

    /// Returns the quantities of a day of each source alone, by name.
    func ownTotals(day: Int) -> [OriginProgress] {
        ownNames.indices.compactMap { index in
            own[index][day].map {
                OriginProgress(sourceName: ownNames[index], quantity: isWhole ? $0.rounded() : $0.asFigure)
            }
        }
        .sorted { ExactText($0.sourceName) < ExactText($1.sourceName) }
    }

    /// Calls `body` with each part of a plausible sample on one of the days, with the index of the sample in their order
    /// (`SampleColumns.orderedUnique`), the tally of its zone and its first bucket. Returns the plausible samples. Spans do
    /// not contain the time that other restated samples of the origin cover (`coveredEnds`).
    private mutating func forEachDayPart(
        of samples: OriginSamples, by counting: SampleCounting = .spans,
        _ body: (inout MergeRun, DayPart, _ index: Int, _ tally: Int, _ bucket: Int) -> Void
    ) -> SampleColumns {
        let columns = samples.columns.orderedUnique(by: counting)
        let covered = counting == .spans && !samples.origin.isPreAggregated ? Self.coveredEnds(columns) : nil
        let tallyOfZone = [tallyIndex(nil)] + columns.zoneNames.map { tallyIndex($0) }
        let offsets = [nil] + columns.zoneNames.map { samples.origin.isPreAggregated ? UTCOffset.seconds($0) : nil }
        var home = OffsetCursor(clock(nil))
        var kept: [Int]?
        var hint = 0
        for index in 0..<columns.count {
            let (start, length) = (columns.starts[index], columns.durations[index])
            let value = columns.values[index]
            let zone = columns.zones.isEmpty ? 0 : Int(columns.zones[index])
            let stated = offsets[zone]
            // The user's clock contains the changes of clocks; a UTC offset does not.
            let tally = stated.map { home.offset(at: start) == $0 } ?? false ? tallyOfZone[0] : tallyOfZone[zone]
            let bucket = tallies[tally].grid.bucket(at: start, near: hint)
            if let reason = Self.implausibility(value: value, length: length) {
                if bucket != nil { skipped[reason, default: 0] += 1 }
                kept = kept ?? Array(0..<index)
                continue
            }
            kept?.append(index)
            var end = start &+ length
            let isDay =
                stated != nil && OffsetCursor.isWholeDay(start: start, length: length, of: tallies[tally].grid.clock)
            if let bucket {
                hint = bucket
                let day = tallies[tally].grid.dayOfBucket[bucket]
                if isDay { end = min(end, tallies[tally].grid.dayBounds[day + 1]) }
                if end <= tallies[tally].grid.dayBounds[day + 1] {
                    let whole = DayPart(day: day, start: start, end: end, amount: value)
                    guard let part = whole.after(covered?[index]) else { continue }
                    body(&self, part, index, tally, tallies[tally].grid.bucket(at: part.start, near: bucket) ?? bucket)
                    continue
                }
            } else if length == 0 || isDay {
                continue
            }
            let grid = tallies[tally].grid
            guard start < grid.bounds[grid.bucketCount], end > grid.bounds[0] else { continue }
            for whole in DaySplit.parts(start: start, end: end, value: value, isWhole: isWhole, grid: grid) {
                guard let part = whole.after(covered?[index]) else { continue }
                if let first = grid.bucket(at: part.start, near: hint) { body(&self, part, index, tally, first) }
            }
        }
        return kept.map { columns.selecting($0) } ?? columns
    }

    /// Returns why a sample is implausible; `nil` if it is plausible.
    private static func implausibility(value: Double, length: Int64) -> String? {
        guard value >= 0 else { return value < 0 ? "negative" : "not a number" }
        guard value <= CumulativeMerge.largestValue else { return "too large" }
        return length > CumulativeMerge.longestSample ? "longer than 31 days" : nil
    }

    /// Returns for each sample, ordered by start and length, the end of the time that other restated samples of the origin
    /// cover before it counts; `nil` if no sample is restated.
    ///
    /// A feed without identifiers may state a measurement again with another start, and an app may state a day beside its
    /// hours. So of restated samples that overlap, the one that starts first counts, of equal starts the longest, and then
    /// the largest. Another one counts only the part of its interval after it.
    private static func coveredEnds(_ columns: SampleColumns) -> [Int64]? {
        guard columns.details.contains(where: { $0.value.isRestated }) else { return nil }
        var ends = [Int64](repeating: .min, count: columns.count)
        var covered = Int64.min
        var first = 0
        while first < columns.count {
            var next = first + 1
            while next < columns.count, columns.starts[next] == columns.starts[first] { next += 1 }
            for row in (first..<next).reversed() where columns.details[row]?.isRestated ?? false {
                let length = columns.durations[row]
                guard length > 0, implausibility(value: columns.values[row], length: length) == nil else { continue }
                ends[row] = covered
                covered = max(covered, columns.starts[row] &+ length)
            }
            first = next
        }
        return ends
    }

    private mutating func addUncovered(_ part: DayPart, tally: Int, bucket: Int, cursor: Int) {
        guard cursor < coverage.count, coverage.starts[cursor] < part.end else {
            tallies[tally].add(part.amount, from: part.start, to: part.end, bucket: bucket)
            return
        }
        let density = part.amount / Double(part.end - part.start)
        coverage.forEachGap(from: part.start, to: part.end, startingAt: cursor) { low, high in
            guard let first = tallies[tally].grid.bucket(at: low, near: bucket) else { return }
            tallies[tally].add(density * Double(high - low), from: low, to: high, bucket: first)
        }
    }

    private mutating func tallyIndex(_ zone: String?) -> Int {
        let clock = clock(zone)
        if let index = tallies.firstIndex(where: { $0.grid.clock == clock }) { return index }
        tallies.append(MergeTally(grid: BucketGrid(clock: clock, days: days, cuts: cuts), keepsPieces: keepsPieces))
        return tallies.count - 1
    }

    private mutating func indexOfName(_ name: String) -> Int {
        if let index = indicesOfNames[ExactText(name)] { return index }
        indicesOfNames[ExactText(name)] = ownNames.count
        ownNames.append(name)
        own.append([Double?](repeating: nil, count: days.count))
        return ownNames.count - 1
    }

    /// Returns one entry for each start; hours of two zones may have the same.
    private static func joined(_ hours: [(start: Int64, amount: Double)]) -> [(start: Int64, amount: Double)] {
        var result: [(start: Int64, amount: Double)] = []
        for hour in hours.sorted(by: { $0.start < $1.start }) {
            if let last = result.last, last.start == hour.start {
                result[result.count - 1].amount += hour.amount
            } else {
                result.append(hour)
            }
        }
        return result
    }
}

/// Samples without length that were not entered by hand. The length of the measurement is unknown, so of several origins
/// that measured in one hour the larger sum counts.
private struct HourlyInstants {
    /// A sample without length that no higher origin covers.
    struct Entry {
        let part: DayPart
        /// The start of its hour in milliseconds since 1970.
        let hour: Int64
        let tally: Int
        let bucket: Int
    }

    /// The amounts that count so far, by hour.
    private var sums: [Int64: Double] = [:]

    /// Returns the amounts that the samples of the next origin add: their excess in each hour, in proportion to their values.
    mutating func additions(of entries: [Entry]) -> [(entry: Entry, amount: Double)] {
        guard !entries.isEmpty else { return [] }
        var own: [Int64: Double] = [:]
        for entry in entries { own[entry.hour, default: 0] += entry.part.amount }
        var result: [(entry: Entry, amount: Double)] = []
        for entry in entries {
            guard let sum = own[entry.hour] else { continue }
            guard let known = sums[entry.hour] else {
                result.append((entry, entry.part.amount))
                continue
            }
            if sum > known { result.append((entry, entry.part.amount * ((sum - known) / sum))) }
        }
        sums.merge(own) { max($0, $1) }
        return result
    }
}

extension SampleColumns {
    /// The samples in ascending order of start, length and value, without duplicates: samples of one origin that agree in
    /// all three are the same sample.
    var orderedUnique: SampleColumns { orderedUnique(by: .spans) }

    /// The same for samples that add up by `counting`. Events to which their source gave different identifiers are different
    /// ones: three glasses of water of one second are three. Of spans they are one, which an app wrote again.
    func orderedUnique(by counting: SampleCounting) -> SampleColumns {
        if (1..<max(1, count)).allSatisfy({ starts[$0 - 1] < starts[$0] }) { return self }
        func identifier(_ row: Int) -> ExactText {
            ExactText(counting == .events ? details[row]?.externalID ?? "" : "")
        }
        let order = (0..<count).sorted { left, right in
            let before = (starts[left], durations[left], values[left])
            let after = (starts[right], durations[right], values[right])
            return before == after ? (identifier(left), left) < (identifier(right), right) : before < after
        }
        var kept: [Int] = []
        kept.reserveCapacity(count)
        for index in order {
            if let last = kept.last, starts[last] == starts[index], durations[last] == durations[index],
                values[last] == values[index], identifier(last) == identifier(index)
            {
                continue
            }
            kept.append(index)
        }
        return selecting(kept)
    }
}
