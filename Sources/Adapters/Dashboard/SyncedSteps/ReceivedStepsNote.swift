import HealthSyncDomain
import HealthSyncPorts

/// A note that step samples were received, for pages without step figures: a server derives no figures from samples.
struct ReceivedStepsNote: Sendable {
    let store: any ReceivedDataStore

    /// Returns the number of samples on `days`, or on all days for `nil`, with a link to them; empty without samples.
    func markup(of days: DayRange?, _ context: PageContext) async throws -> [Markup] {
        let user = context.request.viewer.user
        guard let starts = try await store.sampleStarts(of: SyncedStepsPage.type, user: user) else { return [] }
        let first = context.clock.day(of: starts.lowerBound)
        let last = context.clock.day(of: starts.upperBound)
        guard let shown = DayRange(max(first, days?.first ?? first), through: min(last, days?.last ?? last)) else {
            return []
        }
        let interval = context.clock.interval(of: shown)
        let count = try await store.sampleCount(
            SampleQuery(user: user, type: SyncedStepsPage.type, from: interval.start, until: interval.end))
        guard count > 0 else { return [] }
        let name: Markup =
            shown.count == 1 ? Figure.day(shown.first) : Figure.day(shown.first) + " to " + Figure.day(shown.last)
        let address = Choice.address(SyncedStepsPage.address, [("day", "\(shown.last)")])
        return [
            .tag(
                "p", [.class("notice"), .id("received-steps")],
                "Received ", Figure.number(Double(count), context.numbers.whole(Double(count))),
                .text(count == 1 ? " step sample of " : " step samples of "), name,
                " without figures of hours and days; this server does not derive them from samples. ",
                .tag("a", [.href(address)], "Show the samples"))
        ]
    }
}
