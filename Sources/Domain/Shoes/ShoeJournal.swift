/// One day by hour: steps and distance, and the shoes worn.
public struct ShoeJournal: Sendable, Hashable {
    /// A shoe worn during an interval.
    public struct Wearing: Sendable, Hashable {
        /// The pair.
        public var shoe: Shoe.ID
        /// The interval within the hour.
        public var range: InstantRange
        /// The steps and the distance walked in it.
        public var figures: WalkFigures
    }

    /// One hour bucket.
    public struct Hour: Sendable, Hashable {
        /// The name for `shoes assign --hours`; `nil` for an hour in another time zone to which a sample is assigned.
        public var name: String?
        /// The hour.
        public var range: InstantRange
        /// The steps and the distance walked in it.
        public var figures: WalkFigures
        /// Ascending. A wearing may cover only part of the hour.
        public var wearings: [Wearing]
    }

    /// The use of a shoe over the whole day.
    public struct Use: Sendable, Hashable {
        /// The pair.
        public var shoe: Shoe.ID
        /// The time worn on the day, in milliseconds.
        public var worn: Int64
        /// The steps and the distance walked in it.
        public var figures: WalkFigures
    }

    /// The day.
    public let day: CalendarDay
    /// Ascending.
    public let hours: [Hour]
    /// The merged figures of the day, as in `summary`.
    public let total: WalkFigures
    /// In the order in which the shoes were first worn.
    public let uses: [Use]
    /// Figures of the time in which no shoe was worn. With `uses` they add up to `total`, exactly for steps.
    public let unattributed: WalkFigures

    /// Creates the journal of `day`.
    ///
    /// - Parameters:
    ///   - progress: Steps and walking distance of the day, as far as they exist.
    ///   - hours: The hours of `progress`, divided among `sessions`.
    ///   - now: The current end of the active session.
    package init(
        of day: CalendarDay, clock: DayClock, sessions: ShoeSessions, progress: [DailyProgress],
        hours attributed: [AttributedHour], now: Instant
    ) {
        self.day = day
        var total = WalkFigures()
        var rest = WalkFigures()
        for record in progress {
            total.add(record.figures.quantity, of: record.metric)
            rest.add(0, of: record.metric)
        }
        for hour in attributed {
            for share in hour.shares where share.session == nil { rest.add(share.quantity, of: hour.metric) }
        }
        self.total = total
        unattributed = rest
        uses = Self.uses(
            sessions, in: clock.interval(of: day), metrics: progress.map(\.metric), hours: attributed, now: now)
        let byStart = Dictionary(grouping: attributed, by: \.start)
        var rows = DayHours(of: day, clock: clock).hours.map { (name: Optional($0.name), range: $0.range) }
        let known = Set(rows.map(\.range.start))
        for start in byStart.keys where !known.contains(start) {
            rows.append((nil, InstantRange(start: start, end: start.advanced(bySeconds: 3_600))))
        }
        self.hours = rows.sorted { $0.range.start < $1.range.start }.map { row in
            Self.hour(row.name, row.range, sessions: sessions, attributed: byStart[row.range.start] ?? [], now: now)
        }
    }

    private static func uses(
        _ sessions: ShoeSessions, in whole: InstantRange, metrics: [HealthMetric], hours: [AttributedHour], now: Instant
    ) -> [Use] {
        var uses: [Use] = []
        func index(of shoe: Shoe.ID) -> Int {
            if let index = uses.firstIndex(where: { $0.shoe == shoe }) { return index }
            var figures = WalkFigures()
            for metric in metrics { figures.add(0, of: metric) }
            uses.append(Use(shoe: shoe, worn: 0, figures: figures))
            return uses.count - 1
        }
        for session in sessions.all[sessions.indices(touching: whole)] {
            guard let part = session.interval(until: now).intersection(whole) else { continue }
            uses[index(of: session.shoe)].worn += part.milliseconds
        }
        for hour in hours {
            for share in hour.shares {
                guard let session = share.session else { continue }
                uses[index(of: sessions.all[session].shoe)].figures.add(share.quantity, of: hour.metric)
            }
        }
        return uses
    }

    private static func hour(
        _ name: String?, _ range: InstantRange, sessions: ShoeSessions, attributed: [AttributedHour], now: Instant
    ) -> Hour {
        var hour = Hour(name: name, range: range, figures: WalkFigures(), wearings: [])
        for part in attributed { hour.figures.add(part.quantity, of: part.metric) }
        for index in sessions.indices(touching: range) {
            let session = sessions.all[index]
            guard let worn = session.interval(until: now).intersection(range) else { continue }
            var figures = WalkFigures()
            for part in attributed {
                figures.add(part.shares.filter { $0.session == index }.reduce(0) { $0 + $1.quantity }, of: part.metric)
            }
            hour.wearings.append(Wearing(shoe: session.shoe, range: worn, figures: figures))
        }
        return hour
    }
}
