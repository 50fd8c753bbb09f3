import HealthSyncDomain

/// The choice of a view and the links through time on a page of figures.
struct PeriodNavigation {
    let path: String
    let view: PeriodView
    /// The selected day of the page.
    let day: CalendarDay
    /// The days that the view shows.
    let days: DayRange
    /// The last day with figures of the metric; `nil` without any.
    let latest: CalendarDay?
    /// The first and last day with records.
    let recorded: DayRange?
    /// The days whose figures are complete: from the first record to the last day of the metric, without today. `nil`
    /// for none.
    let complete: DayRange?
    /// Parameters of every link.
    let fixed: [(name: String, value: String)]

    /// Creates the navigation of the page at `path` for the request of `context`; without parameters the view is
    /// `usual` and the day is `latest`, or today.
    init(
        _ path: String, usual: PeriodView, latest: CalendarDay?, fixed: [(name: String, value: String)] = [],
        _ context: PageContext
    ) throws(SyncFailure) {
        self.path = path
        self.latest = latest
        self.fixed = fixed
        view = try context.period(usual: usual)
        day = try context.day(latest: latest)
        recorded = context.recorded
        days = view.days(through: day, recorded: recorded)
        complete = context.completeDays(latest: latest)
    }

    var markup: [Markup] {
        let views = PeriodView.allCases.map { view in
            (name: view.name, address: address(view, day), isCurrent: view == self.view)
        }
        let name: Markup =
            days.count == 1 ? Figure.day(days.first) : Figure.day(days.first) + " to " + Figure.day(days.last)
        return [
            Choice.of("Division", views),
            Choice.stretch(
                name, before: before, after: after, latest: latest.flatMap { days.contains($0) ? nil : $0 }, day: day,
                path: path, fixed: fixed + [("by", view.rawValue)],
                names: ("Earlier", "Later")),
        ]
    }

    /// Returns the address of the page that shows `period` by shorter periods.
    func closer(_ period: CalendarPeriod) -> String {
        address(view.closer, min(period.days.last, recorded?.last ?? period.days.last))
    }

    private func address(_ view: PeriodView, _ day: CalendarDay) -> String {
        Choice.address(path, fixed + [("by", view.rawValue), ("day", "\(day)")])
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

/// The length of the periods on a page of figures, and the days that the page shows.
enum PeriodView: String, CaseIterable {
    case hour
    case day
    case week
    case month
    case year

    /// The name of the choice.
    var name: String { "By \(rawValue)" }

    /// Returns the days shown: the page's day by its hours; 31 days, 26 weeks or 24 months up to it; all recorded
    /// years.
    func days(through day: CalendarDay, recorded: DayRange?) -> DayRange {
        switch self {
        case .hour: return DayRange(day)
        case .day: return DayRange(day).widened(before: 30, after: 0)
        case .week:
            let last = CalendarPeriod(.week, holding: day).days.last
            return DayRange(last).widened(before: 26 * 7 - 1, after: 0)
        case .month:
            let last = CalendarPeriod(.month, holding: day).days.last
            let first = CalendarPeriod(.month, holding: last.advanced(byMonths: -23)).days.first
            return DayRange(first, through: last) ?? DayRange(last)
        case .year:
            let all = recorded ?? DayRange(day)
            let first = CalendarPeriod(.year, holding: all.first).days.first
            return DayRange(first, through: CalendarPeriod(.year, holding: all.last).days.last) ?? all
        }
    }

    /// The period of a column; `nil` for hours.
    var unit: CalendarPeriod.Unit? { CalendarPeriod.Unit(rawValue: rawValue) }

    /// The view that shows one column by shorter periods.
    var closer: PeriodView {
        switch self {
        case .hour, .day: .hour
        case .week: .day
        case .month: .day
        case .year: .month
        }
    }
}
