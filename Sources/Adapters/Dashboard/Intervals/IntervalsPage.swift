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
