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
