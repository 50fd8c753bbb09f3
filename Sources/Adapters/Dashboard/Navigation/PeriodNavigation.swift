import HealthSyncDomain

/// The choice of a view and the ways through time of a page of figures.
struct PeriodNavigation {
    let path: String
    let view: PeriodView
    let day: CalendarDay
    let days: DayRange
    let recorded: DayRange?

    var markup: [Markup] {
        let views = PeriodView.allCases.map { view in
            (name: view.name, address: address(view, day), isCurrent: view == self.view)
        }
        let name: Markup =
            days.count == 1 ? Figure.day(days.first) : Figure.day(days.first) + " to " + Figure.day(days.last)
        return [
            Choice.of("Division", views),
            Choice.stretch(
                name, before: before, after: after, day: day, path: path, fixed: [("by", view.rawValue)],
                names: ("Earlier", "Later")),
        ]
    }

    func address(_ view: PeriodView, _ day: CalendarDay) -> String {
        Choice.address(path, [("by", view.rawValue), ("day", "\(day)")])
    }

    private var before: CalendarDay? {
        guard view != .year, let recorded, days.first > recorded.first else { return nil }
        return min(days.first.advanced(by: -1), recorded.last)
    }

    private var after: CalendarDay? {
        guard view != .year, let recorded, days.last < recorded.last else { return nil }
        return max(min(days.last.advanced(by: days.count), recorded.last), recorded.first)
    }
}
