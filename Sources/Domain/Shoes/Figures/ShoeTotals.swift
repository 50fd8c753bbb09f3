/// The totals of a shoe.
package struct ShoeTotals: Sendable, Hashable {
    package var figures = WalkFigures()
    /// The time worn, in milliseconds.
    package var worn: Int64 = 0
    package var sessions = 0
    /// When it was first worn; `nil` if never.
    package var since: Instant?
    /// When it was last worn; the current time while it is being worn.
    package var lastWorn: Instant?

    package init() {}

    /// Returns the price for each kilometre, in the currency of the price; `nil` without a price or distance.
    package func costPerKilometre(_ price: ShoePrice?) -> Double? {
        guard let price, let kilometres = figures.kilometres, kilometres > 0 else { return nil }
        return (price.amount / kilometres).asFigure
    }

    /// Returns the totals of every shoe that was worn, from its sessions and all days that they overlap.
    package static func byShoe(
        _ sessions: ShoeSessions, days: [AttributedDay], now: Instant
    ) -> [Shoe.ID: ShoeTotals] {
        var totals: [Shoe.ID: ShoeTotals] = [:]
        for session in sessions.all {
            let interval = session.interval(until: now)
            var total = totals[session.shoe] ?? ShoeTotals()
            total.sessions += 1
            total.worn += interval.milliseconds
            total.since = total.since ?? session.start
            total.lastWorn = interval.end
            totals[session.shoe] = total
        }
        for day in days {
            for (shoe, figures) in day.figures { totals[shoe]?.figures.add(figures) }
        }
        return totals
    }
}
