import HealthSyncDomain
import HealthSyncPorts

/// That step samples were received as they are, where a page has no figures of steps: a server derives none from them.
struct ReceivedStepsNote: Sendable {
    let store: any ReceivedDataStore

    /// How many there are of `days`, or of all days for `nil`, and where they are shown; nothing where there are none.
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
                "Received as measured: ", Figure.number(Double(count), context.numbers.whole(Double(count))),
                .text(count == 1 ? " step sample of " : " step samples of "), name,
                ", without figures of hours and days; this server makes none from samples. ",
                .tag("a", [.href(address)], "Look at the samples"))
        ]
    }
}
