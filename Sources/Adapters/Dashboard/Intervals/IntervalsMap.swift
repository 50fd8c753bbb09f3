import HealthSyncDomain

/// Years of intervals by month, each month colored by its least advanced state.
struct IntervalsMap {
    let months: [CalendarPeriod: [IntervalStatus]]
    let current: CalendarPeriod
    let numbers: NumberForm
    /// The address of the list for the month of a day.
    let address: (CalendarDay) -> String

    /// The states from the least advanced to synced.
    private static let order: [IntervalState] = [.rejected, .local, .waiting, .synced]
    // A map of more years does not fit a page; stray samples may be centuries apart.
    private static let mostYears = 60

    var markup: Markup {
        .tag(
            "section", [.class("card"), .id("map")],
            [.tag("h2", [], "Map"), FactList.markup(facts), withoutSamples, legend, table.markup])
    }

    private var withoutSamples: Markup {
        let count = months.values.reduce(0) { $0 + $1.count(where: \.isSyncedWithoutSamples) }
        guard count > 0 else { return .nothing }
        return .tag(
            "p", [.class("quiet")],
            "Synced includes \(CountText.of(count, "interval", number: { numbers.whole(Double($0)) })) without samples, "
                + "for which nothing is sent.")
    }

    private var facts: [(name: String, value: Markup)] {
        let states = months.values.flatMap(\.self).map(\.state)
        return IntervalState.allCases.map { state in
            let count = Double(states.count { $0 == state })
            return (Self.name(state), Figure.number(count, numbers.whole(count)))
        }
    }

    private var legend: Markup {
        .tag(
            "ul", [.class("legend"), .init("aria-label", "Colors")],
            IntervalState.allCases.map { .tag("li", [.class($0.rawValue)], .text(Self.name($0))) })
    }

    private var table: DataTable {
        var table = DataTable(
            "Intervals that begin in each month", [.text("Year")] + (1...12).map { .number(CalendarDay.monthName($0)) })
        let years = Dictionary(grouping: months.keys) { CalendarPeriod(.year, holding: $0.days.first) }
        for (year, periods) in years.sorted(by: { $0.key < $1.key }).suffix(Self.mostYears) {
            let known = Dictionary(periods.map { ($0.days.first.components.month, $0) }) { first, _ in first }
            table.add([.text("\(year)")] + (1...12).map { known[$0].map(cell) ?? "" })
        }
        return table
    }

    private func cell(_ month: CalendarPeriod) -> Markup {
        let states = (months[month] ?? []).map(\.state)
        let worst = Self.order.first(where: states.contains) ?? .synced
        let done = states.count { $0 == .synced }
        return .tag("span", [.class("swatch \(worst.rawValue)")])
            + .tag(
                "a",
                [
                    .href(address(month.days.first)),
                    .init(
                        "aria-label",
                        "\(ColumnLabels.fullName(month)): \(CountText.of(states.count, "interval")), \(done) synced"
                    ),
                    month == current ? .init("aria-current", "true") : .none,
                ], "\(states.count)")
    }

    /// Returns the name of a state.
    static func name(_ state: IntervalState) -> String {
        switch state {
        case .synced: "synced"
        case .waiting: "waiting"
        case .rejected: "incomplete"
        case .local: "local"
        }
    }
}
