import HealthSyncDomain
import HealthSyncPorts

/// Step samples as received, by day and device, a hundred per page.
struct SyncedStepsPage: Page {
    static let address = "/view/synced-steps"
    let name = "Synced steps"
    let store: any ReceivedDataStore

    static let type = "steps"
    private static let rowsPerPage = 100
    // A phone and a watch send some hundred samples a day.
    private static let mostRead = 20_000

    func content(_ context: PageContext) async throws -> [Markup] {
        let user = context.request.viewer.user
        _ = (try context.day(), try context.pageNumber())
        guard let starts = try await store.sampleStarts(of: Self.type, user: user) else {
            return [.tag("section", [.class("card")], .tag("p", [], "No step samples were received yet."))]
        }
        let recorded = (first: context.clock.day(of: starts.lowerBound), last: context.clock.day(of: starts.upperBound))
        let day = try context.day(latest: recorded.last)
        let page = try context.pageNumber()
        let samples = try await samples(of: day, user: user, clock: context.clock)
        let device = context.request.parameter("device")
        let stretch = Choice.stretch(
            Figure.day(day), before: day > recorded.first ? min(day.advanced(by: -1), recorded.last) : nil,
            after: day < recorded.last ? max(day.advanced(by: 1), recorded.first) : nil,
            latest: day == recorded.last ? nil : recorded.last, day: day, path: address,
            fixed: device.map { [("device", $0)] } ?? [], names: ("Previous day", "Next day"))
        guard !samples.isEmpty else {
            return [
                stretch,
                .tag(
                    "section", [.class("card")], .tag("p", [], "No step samples of \(day.dateInWords) were received.")),
            ]
        }
        let section = SyncedStepsSection(
            all: samples, device: device, page: page, rowsPerPage: Self.rowsPerPage, context: context
        ) { device, page in
            var query = [("day", "\(day)")]
            if let device { query.append(("device", device)) }
            if page > 1 { query.append(("page", "\(page)")) }
            return Choice.address(address, query)
        }
        let note: [Markup] =
            samples.count < Self.mostRead
            ? []
            : [.tag("p", [.class("notice warn")], "Only the first \(Self.mostRead) samples of this day are shown.")]
        return [stretch] + note + section.markup
    }

    private func samples(of day: CalendarDay, user: UserName, clock: DayClock) async throws -> [SyncedSample] {
        let interval = clock.interval(of: day)
        var query = SampleQuery(
            user: user, type: Self.type, from: interval.start, until: interval.end, limit: Self.mostRead)
        var samples: [SyncedSample] = []
        while samples.count < Self.mostRead {
            query.limit = Self.mostRead - samples.count
            let page = try await store.samples(query)
            samples += page.batch.samples.map { SyncedSample($0, origin: page.batch.origin(of: $0)) }
            guard let next = page.next else { break }
            query.after = next
        }
        return samples.sorted { ($0.sample.start, $0.sample.end) < ($1.sample.start, $1.sample.end) }
    }
}
