/// The distance and steps in each pair of shoes on one day.
package struct AttributedDay: Sendable, Hashable {
    package let day: CalendarDay
    /// Contains only shoes with a session that overlaps an hour with measurements.
    package let figures: [Shoe.ID: WalkFigures]

    package init(day: CalendarDay, figures: [Shoe.ID: WalkFigures]) {
        self.day = day
        self.figures = figures
    }

    /// Creates the figures of `day` from `hours` divided among `sessions`.
    package init(day: CalendarDay, sessions: ShoeSessions, hours: [AttributedHour]) {
        var figures: [Shoe.ID: WalkFigures] = [:]
        for hour in hours {
            for share in hour.shares {
                guard let session = share.session else { continue }
                figures[sessions.all[session].shoe, default: WalkFigures()].add(share.quantity, of: hour.metric)
            }
        }
        self.init(day: day, figures: figures)
    }
}

/// Steps and distance of an interval. A metric without measurements is `nil`, never 0.
public struct WalkFigures: Sendable, Hashable {
    /// The steps; `nil` if none are recorded.
    public var steps: Double?
    /// The walking distance; `nil` if none is recorded.
    public var kilometres: Double?

    package init(steps: Double? = nil, kilometres: Double? = nil) {
        self.steps = steps
        self.kilometres = kilometres
    }

    /// Adds a quantity of `metric`; ignores other metrics.
    package mutating func add(_ quantity: Double, of metric: HealthMetric) {
        switch metric {
        case .steps: steps = (steps ?? 0) + quantity
        case .walkingDistance: kilometres = (kilometres ?? 0) + quantity
        default: break
        }
    }

    /// Adds other figures.
    package mutating func add(_ other: WalkFigures) {
        if let more = other.steps { add(more, of: .steps) }
        if let more = other.kilometres { add(more, of: .walkingDistance) }
    }

    /// The metrics of the figures.
    package static let metrics: [HealthMetric] = [.steps, .walkingDistance]
}

/// The value of one metric in an hour, divided among sessions.
package struct AttributedHour: Sendable, Hashable {
    package let metric: HealthMetric
    /// The first instant of the hour.
    package let start: Instant
    /// The total of the hour.
    package let quantity: Double
    /// The shares, which add up to the quantity.
    package let shares: [HourShares.Share]

    package init(metric: HealthMetric, start: Instant, quantity: Double, shares: [HourShares.Share]) {
        self.metric = metric
        self.start = start
        self.quantity = quantity
        self.shares = shares
    }
}

/// Divides the value of an hour among the sessions that overlap it.
package struct HourShares: Sendable {
    /// The share of one session, or of the time without a shoe.
    package struct Share: Sendable, Hashable {
        /// The index of the session; `nil` for the time in which no shoe was worn.
        package let session: Int?
        package let quantity: Double
    }

    private let sessions: ShoeSessions
    /// The length of the longest hour bucket. Shorter buckets are within it.
    private static let longestHour: Int64 = 3_600_000

    package init(_ sessions: ShoeSessions) { self.sessions = sessions }

    /// Returns whether a session begins or ends within the hour that begins at `hour`. If so, the samples of the hour
    /// are needed.
    private func isCut(_ hour: Instant) -> Bool { !edges(in: longest(hour)).isEmpty }

    /// Returns the instants within the hour that begins at `hour` at which a session begins or ends.
    package func cuts(of hour: Instant) -> [Instant] { edges(in: longest(hour)) }

    /// Returns the shares of `hour`, which add up to its quantity. If `isWhole`, the sum is exact and each share is a
    /// whole number (largest remainder method).
    ///
    /// - Parameter stretches: The merged values of the hour, split where sessions begin and end; needed only if
    ///   `isCut`. Without them the quantity is divided in proportion to time.
    package func shares(of hour: HourProgress, isWhole: Bool, stretches: [MergedStretch]) -> [Share] {
        let quantity = hour.figures.quantity
        let whole = longest(hour.start)
        let touched = sessions.indices(touching: whole)
        guard isCut(hour.start) else { return [Share(session: touched.first, quantity: quantity)] }
        // The last weight belongs to the time without a shoe.
        var weights = [Double](repeating: 0, count: touched.count + 1)
        for stretch in stretches where stretch.hour == hour.start {
            let owner = sessions.indices(touching: stretch.range).first ?? touched.upperBound
            weights[owner - touched.lowerBound] += stretch.amount
        }
        var sum = weights.reduce(0, +)
        if sum <= 0 {
            weights = touched.map { Double(sessions.all[$0].interval.intersection(whole)?.milliseconds ?? 0) }
            weights.append(Double(whole.milliseconds) - weights.reduce(0, +))
            sum = Double(whole.milliseconds)
        }
        var parts = weights.map { quantity * ($0 / sum) }
        if isWhole, quantity == quantity.rounded() { parts = LargestRemainder.apportion(quantity, over: parts) }
        return zip(touched.map { Optional($0) } + [nil], parts).map { Share(session: $0, quantity: $1) }
    }

    private func longest(_ hour: Instant) -> InstantRange {
        InstantRange(start: hour, end: hour.advanced(byMilliseconds: Self.longestHour))
    }

    private func edges(in range: InstantRange) -> [Instant] {
        sessions.indices(touching: range).flatMap { [sessions.all[$0].start, sessions.all[$0].interval.end] }
            .filter { range.start < $0 && $0 < range.end }
    }
}
