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
        return price.amount / kilometres
    }

    /// The totals of every shoe that was worn, from its sessions and the hours of all days that they touch.
    package static func byShoe(
        _ sessions: ShoeSessions, hours: [AttributedHour], now: Instant
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
        for hour in hours {
            for share in hour.shares {
                guard let session = share.session else { continue }
                totals[sessions.all[session].shoe]?.figures.add(share.quantity, of: hour.metric)
            }
        }
        return totals
    }
}
