import HealthSyncDomain
import HealthSyncPorts

/// Finds stored samples whose local times were read in another zone than the one that the user's clock has now.
///
/// A feed without UTC offsets states local times, and each of its samples has the name of the zone in which its time was
/// read. If the same local time arrives again, the earlier sample is at the wrong instant and is removed.
struct MovedLocalTimes {
    /// The samples to remove.
    private(set) var rows: [SamplePageKey: DeletedSampleRows] = [:]
    private let clock: DayClock
    private let time: any TimeSource

    /// The samples of one type and origin.
    private struct Series: Hashable {
        let type: SampleType
        let origin: SampleOrigin

        init(_ key: SamplePageKey) { (type, origin) = (key.type, key.origin) }
    }

    /// The local times that arrive.
    private struct Arriving {
        var first: CalendarDay
        var last: CalendarDay
        var times: Set<LocalPlace> = []
        /// The local times of `times`, of any length.
        var walls: Set<Int64> = []
    }

    /// A local time, and the length of what begins there.
    private struct LocalPlace: Hashable {
        /// By the rules of a zone, a day is shorter or longer.
        private static let day: ClosedRange<Int64> = 82_800_000...90_000_000

        /// Milliseconds since 1970 by the clock on the wall.
        let wall: Int64
        /// In milliseconds; `nil` for any length, such as that of a bucket that has not ended.
        var length: Int64?

        init(wall: Int64, duration: Int64, isBucket: Bool) {
            self.wall = wall
            guard !isBucket || !UnfinishedBucket.isUnfinished(duration: duration) else { return }
            length = Self.day.contains(duration) ? Self.day.lowerBound : duration
        }
    }

    /// No zone is farther from another one, in days.
    private static let reach = 2

    init(
        arriving pages: PageSequence, _ reading: SourceReading, held: HeldPages, clock: DayClock, time: any TimeSource
    ) throws {
        self.clock = clock
        self.time = time
        guard reading.statements.contains(where: \.hasLocalTimes) else { return }
        var series: [Series: Arriving] = [:]
        try pages.forEach { page in
            for fragment in page.fragments {
                guard let statement = fragment.statement, reading.statements.indices.contains(statement),
                    reading.statements[statement].hasLocalTimes
                else { continue }
                add(try SamplePageCodec.decode(fragment.bytes), at: page.key, to: &series[Series(page.key)])
            }
        }
        for key in held.keys {
            guard let arriving = series[Series(key)],
                arriving.first.advanced(by: -Self.reach) <= key.day, key.day <= arriving.last.advanced(by: Self.reach)
            else { continue }
            compare(try held.samples(of: HeldPages.firstLineage, at: key), at: key, with: arriving)
        }
    }

    /// Returns the samples without those whose local times belong to another instant now, whether they arrived again or
    /// not: an arriving sample may take their place.
    func current(_ stored: SampleColumns) -> SampleColumns {
        let walls = formerWalls(of: stored)
        return walls.isEmpty ? stored : stored.selecting(stored.starts.indices.filter { walls[$0] == nil })
    }

    private func add(_ columns: SampleColumns, at key: SamplePageKey, to series: inout Arriving?) {
        var arriving = series ?? Arriving(first: key.day, last: key.day)
        arriving.first = min(arriving.first, key.day)
        arriving.last = max(arriving.last, key.day)
        for row in columns.starts.indices {
            let wall = columns.starts[row] + 1000 * clock.offsetSeconds(at: columns.interval(row).start)
            let place = LocalPlace(
                wall: wall, duration: columns.durations[row], isBucket: key.origin.isPreAggregated)
            arriving.times.insert(place)
            arriving.walls.insert(wall)
        }
        series = arriving
    }

    private mutating func compare(_ stored: SampleColumns, at key: SamplePageKey, with arriving: Arriving) {
        for (row, wall) in formerWalls(of: stored) {
            var place = LocalPlace(
                wall: wall, duration: stored.durations[row], isBucket: key.origin.isPreAggregated)
            var arrives = place.length == nil ? arriving.walls.contains(wall) : arriving.times.contains(place)
            place.length = nil
            // In another zone, a bucket may have ended or not when the file was written.
            arrives = arrives || arriving.times.contains(place)
            if arrives { rows[key, default: DeletedSampleRows()].insert(stored, row) }
        }
    }

    /// Returns the local times of the samples that were read in another zone than that of the clock, by row.
    private func formerWalls(of columns: SampleColumns) -> [Int: Int64] {
        let rules = columns.zoneNames.map { UTCOffset.seconds($0) == nil ? try? time.zoneRules(named: $0) : nil }
        var walls: [Int: Int64] = [:]
        for (row, zone) in columns.zones.enumerated() where zone > 0 {
            guard let rules = rules[Int(zone) - 1] else { continue }
            let start = columns.interval(row).start
            let offset = rules.offsetSeconds(at: start)
            let wall = start.advanced(bySeconds: offset)
            if clock.rules(on: CalendarDay(utcDayOf: wall)).identifier != rules.identifier,
                clock.offsetSeconds(at: start) != offset
            {
                walls[row] = wall.milliseconds
            }
        }
        return walls
    }
}
