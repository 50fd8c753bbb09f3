/// The totals of a shoe.
public struct ShoeTotals: Sendable, Hashable {
    /// The steps and the distance walked in it.
    public var figures = WalkFigures()
    /// The time worn, in milliseconds.
    public var worn: Int64 = 0
    /// How often it was worn.
    public var sessions = 0
    /// When it was first worn; `nil` if never.
    public var since: Instant?
    /// When it was last worn; the current time while it is being worn.
    public var lastWorn: Instant?

    package init() {}

    /// Returns the price for each kilometre, in the currency of the price; `nil` without a price or distance.
    public func costPerKilometre(_ price: ShoePrice?) -> Double? {
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

/// The changes made by automatic sessions.
package struct ShoeCheckReport: Sendable, Hashable {
    /// Sessions started by the first steps of a day.
    package var started: [ShoeSession] = []
    /// Active sessions ended by inactivity.
    package var closed: [ShoeSession] = []
    /// Sessions whose start or end moved because of better data.
    package var moved: [ShoeSession] = []
    /// Automatic sessions whose steps were deleted or are within another session now.
    package var removed: [ShoeSession] = []

    /// Creates a report without changes.
    package init() {}

    /// Creates a report of the changes from `before` to `after`.
    package init(from before: ShoeSessions, to after: ShoeSessions) {
        let old = Dictionary(before.all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for session in after.all where old[session.id] != session {
            switch old[session.id] {
            case nil: started.append(session)
            case .some(let former) where former.isActive && !session.isActive: closed.append(session)
            case .some: moved.append(session)
            }
        }
        let kept = Set(after.all.map(\.id))
        removed = before.all.filter { !kept.contains($0.id) }
    }

    package var isEmpty: Bool { started.isEmpty && closed.isEmpty && moved.isEmpty && removed.isEmpty }
}
