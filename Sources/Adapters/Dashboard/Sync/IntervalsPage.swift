import HealthSyncDomain
import HealthSyncPorts

/// The intervals of raw samples: a map of months with their state, and the list of one month.
struct IntervalsPage: Page {
    static let address = "/view/intervals"
    let name = "Intervals"
    let store: any SyncIntervalStore
    /// The server that they are delivered to.
    let server: @Sendable () async throws -> KnownServer?

    func content(_ context: PageContext) async throws -> [Markup] {
        let types = try await store.layeredTypes().keys.sorted()
        guard let first = types.first else {
            let text: Markup =
                "No intervals yet. The first delivery of raw samples creates them."
            return [.tag("section", [.class("card")], .tag("p", [], text))]
        }
        let name = try context.choice("type", of: types.map(\.rawValue))
        let type = types.first { $0.rawValue == name } ?? first
        let server = try await server()
        let statuses = try await store.statuses(of: type, destination: server?.destination)
        let months = Self.months(of: statuses, context.clock)
        let asked = try context.day().map { CalendarPeriod(.month, holding: $0) }
        guard let month = asked.flatMap({ months[$0] == nil ? nil : $0 }) ?? months.keys.max() else {
            return [.tag("section", [.class("card")], .tag("p", [], "No intervals."))]
        }
        let address = { (type: SampleType, day: CalendarDay) in
            Choice.address(self.address, [("type", type.rawValue), ("day", "\(day)")])
        }
        let choice = Choice.of(
            "Sample type",
            types.map { (name: $0.shortName, address: address($0, month.days.first), isCurrent: $0 == type) })
        let latest = months.keys.max().flatMap { $0 == month ? nil : $0 }.map { latest in
            Markup.tag(
                "p", [], .tag("a", [.class("button"), .href(address(type, latest.days.first))], "Latest"))
        }
        return [
            choice, ServerSection.line(server), latest ?? .nothing,
            IntervalsMap(months: months, current: month, numbers: context.numbers) { address(type, $0) }.markup,
            IntervalsList(month: month, statuses: months[month] ?? [], context: context).markup,
        ]
    }

    /// Returns the intervals, which are ascending, by the month in which they start. The calendar is asked once a month,
    /// not once for each of ten thousand intervals.
    private static func months(of statuses: [IntervalStatus], _ clock: DayClock) -> [CalendarPeriod: [IntervalStatus]] {
        var months: [CalendarPeriod: [IntervalStatus]] = [:]
        var rest = statuses[...]
        while let first = rest.first {
            let month = CalendarPeriod(.month, holding: clock.day(of: first.interval.interval.range.start))
            let end = clock.interval(of: month.days).end
            let next = rest.partitionPoint { $0.interval.interval.range.start < end }
            months[month] = Array(rest[..<next])
            rest = rest[next...]
        }
        return months
    }
}

/// Years of intervals by month, each month colored by its least advanced state.
private struct IntervalsMap {
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

/// The intervals of one month.
private struct IntervalsList {
    let month: CalendarPeriod
    let statuses: [IntervalStatus]
    let context: PageContext

    private static let mostShown = 250

    var markup: Markup {
        let shown = statuses.prefix(Self.mostShown)
        var table = DataTable(
            shown.count < statuses.count ? "The first \(shown.count) of \(statuses.count)" : "All \(statuses.count)",
            [.text("From"), .text("To"), .number("Samples"), .number("Steps"), .text("State"), .text("Since")])
        for status in shown {
            let (range, figures) = (status.interval.interval.range, status.interval.figures)
            table.add([
                context.moment(range.start), context.moment(range.end), count(Double(figures.sampleCount)),
                count(Double(figures.stepCount)),
                .tag(
                    "span", [.class("whole")], .tag("span", [.class("swatch \(status.state.rawValue)")]),
                    .text(IntervalsMap.name(status.state))),
                status.syncedAt.map { context.moment($0) } ?? "–",
            ])
        }
        return .tag(
            "section", [.class("card"), .id("intervals")], .tag("h2", [], .text(ColumnLabels.fullName(month))),
            table.markup)
    }

    private func count(_ number: Double) -> Markup { Figure.number(number, context.numbers.whole(number)) }
}
