/// Divides what was measured in an hour among the sessions that share time with it.
package struct HourShares: Sendable {
    /// What one session, or none, has of an hour.
    package struct Share: Sendable, Hashable {
        /// The session's index; `nil` for the time in which no shoe was worn.
        package let session: Int?
        package let quantity: Double
    }

    private let sessions: ShoeSessions
    /// No hour bucket is longer; one that is shorter lies within.
    private static let longestHour: Int64 = 3_600_000

    package init(_ sessions: ShoeSessions) { self.sessions = sessions }

    /// Whether a session begins or ends within the hour that begins at `hour`, so that its samples must be known.
    package func isCut(_ hour: Instant) -> Bool { !edges(in: longest(hour)).isEmpty }

    /// Instants within the hour that begins at `hour` at which a session begins or ends.
    package func cuts(of hour: Instant) -> [Instant] { edges(in: longest(hour)) }

    /// The shares of `hour`, which sum to its quantity: exactly where it `isWhole`, and then each is whole, by the largest
    /// remainder.
    ///
    /// - Parameter stretches: what is merged in the hour by stretches that end where sessions begin and end; needed only
    ///   where `isCut`. Where they say nothing the quantity is divided by time.
    package func shares(of hour: HourProgress, isWhole: Bool, stretches: [MergedStretch]) -> [Share] {
        let quantity = hour.figures.quantity
        let whole = longest(hour.start)
        let touched = sessions.indices(touching: whole)
        guard isCut(hour.start) else { return [Share(session: touched.first, quantity: quantity)] }
        // The last weight is that of no session.
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
