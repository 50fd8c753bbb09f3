/// All shoes with their totals.
package struct ShoeCollection: Sendable {
    /// In the order in which they were added.
    package let shoes: [Shoe]
    package let sessions: ShoeSessions
    /// The totals of the shoes that were worn.
    package let totals: [Shoe.ID: ShoeTotals]

    /// The figures of each month in which a shoe was worn and measured.
    package let months: [Shoe.ID: [CalendarPeriod: WalkFigures]]

    package init(
        shoes: [Shoe], sessions: ShoeSessions, totals: [Shoe.ID: ShoeTotals],
        months: [Shoe.ID: [CalendarPeriod: WalkFigures]]
    ) {
        self.months = months
        self.shoes = shoes
        self.sessions = sessions
        self.totals = totals
    }

    /// Returns the figures of `days` by shoe and month.
    package static func months(of days: [AttributedDay]) -> [Shoe.ID: [CalendarPeriod: WalkFigures]] {
        var months: [Shoe.ID: [CalendarPeriod: WalkFigures]] = [:]
        for day in days {
            let month = CalendarPeriod(.month, holding: day.day)
            for (shoe, figures) in day.figures {
                months[shoe, default: [:]][month, default: WalkFigures()].add(figures)
            }
        }
        return months
    }
}
