/// What a shoe was worn for.
package struct ShoeTotals: Sendable, Hashable {
    package var figures = WalkFigures()
    /// Time worn, in milliseconds.
    package var worn: Int64 = 0
    package var sessions = 0
    /// When it was first worn; `nil` when never.
    package var since: Instant?
    /// When it was last worn: until now while it is.
    package var lastWorn: Instant?

    package init() {}

    /// Price for each kilometre walked, in the price's currency; absent without a price or distance.
    package func costPerKilometre(_ price: ShoePrice?) -> Double? {
        guard let price, let kilometres = figures.kilometres, kilometres > 0 else { return nil }
        return (price.amount / kilometres).asFigure
    }

    /// The totals of every shoe that was worn, from its sessions and all days that they touch.
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
