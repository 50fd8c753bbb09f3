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

/// The samples of a day: their number by device, and one page of them.
private struct SyncedStepsSection {
    let all: [SyncedSample]
    /// Only samples of this device are listed; all for `nil`.
    let device: String?
    /// The page number, from 1.
    let page: Int
    let rowsPerPage: Int
    let context: PageContext
    /// The address of a page of the samples of a device.
    let address: (_ device: String?, _ page: Int) -> String

    private static let namedDevices = 20
    private static let longestName = 60

    private var listed: [SyncedSample] { device.map { name in all.filter { $0.device == name } } ?? all }
    private var pages: Int { max(1, (listed.count + rowsPerPage - 1) / rowsPerPage) }

    var markup: [Markup] {
        [
            .tag("section", [.class("card"), .id("devices")], .tag("h2", [], "Devices"), devices.markup),
            .tag("section", [.class("card"), .id("samples")], [.tag("h2", [], "Samples"), rows.markup, ids] + paging),
        ]
    }

    private var devices: DataTable {
        var table = DataTable(
            "Received samples by device, not merged", [.text("Device"), .number("Samples"), .number("Steps")])
        let groups = Dictionary(grouping: all, by: \.device).sorted { $0.key < $1.key }
        for (name, samples) in groups.prefix(Self.namedDevices) {
            table.add([
                .tag(
                    "a", [.href(address(name, 1)), name == device ? .init("aria-current", "true") : .none],
                    .text(name)), count(samples), steps(samples),
            ])
        }
        let rest = groups.dropFirst(Self.namedDevices).flatMap(\.value)
        if !rest.isEmpty { table.add(["further devices", count(rest), steps(rest)]) }
        table.add([.tag("a", [.href(address(nil, 1))], "all"), count(all), steps(all)])
        return table
    }

    private func count(_ samples: [SyncedSample]) -> Markup {
        Figure.number(Double(samples.count), context.numbers.whole(Double(samples.count)))
    }

    private func steps(_ samples: [SyncedSample]) -> Markup {
        let sum = samples.reduce(0) { $0 + $1.sample.value }
        return Figure.number(sum, context.numbers.whole(sum))
    }

    private var first: Int { min(page, pages) * rowsPerPage - rowsPerPage }
    private var shown: ArraySlice<SyncedSample> { listed.dropFirst(first).prefix(rowsPerPage) }

    /// The ids of the samples of the page, in their order; collapsed at first.
    private var ids: Markup {
        var table = DataTable("Ids of these samples", [.text("From"), .text("Id")])
        for row in shown { table.add([context.time(row.sample.start), .tag("code", [], .text(row.sample.idText))]) }
        return .tag("details", [.id("ids")], .tag("summary", [], "Ids of these samples"), table.markup)
    }

    private var rows: DataTable {
        let range = listed.isEmpty ? "none" : "\(first + 1) to \(first + shown.count) of \(listed.count)"
        var table = DataTable(
            "Samples by start, \(range)",
            [.text("From"), .text("To"), .number("Steps"), .text("Device"), .text("App")])
        for row in shown {
            table.add([
                context.time(row.sample.start), context.time(row.sample.end),
                Figure.number(row.sample.value, context.numbers.rounded(row.sample.value, places: 2)),
                .text(short(row.device)), .text(short(row.app)),
            ])
        }
        return table
    }

    private func short(_ name: String) -> String {
        name.shortened(to: Self.longestName)
    }

    private var paging: [Markup] {
        guard pages > 1 else { return [] }
        let page = min(page, pages)
        let links = [("Previous page", page - 1), ("Next page", page + 1)].filter { (1...pages).contains($0.1) }
        return [
            .tag(
                "nav", [.class("fields"), .init("aria-label", "Pages of samples")],
                [.tag("p", [], "Page \(page) of \(pages)")]
                    + links.map { .tag("a", [.class("button"), .href(address(device, $0.1))], .text($0.0)) })
        ]
    }
}

/// A received sample with the name of its device.
private struct SyncedSample {
    let sample: ReceivedSample
    /// Name and hardware of the device, or the identifier of the app if the device is unknown.
    let device: String
    /// The identifier of the app, with shortened UUIDs.
    let app: String

    init(_ sample: ReceivedSample, origin: ReceivedOrigin?) {
        self.sample = sample
        app = UUIDText.folded(origin?.bundleID ?? "")
        device = origin?.deviceName.map { DeviceText.short($0) } ?? (app.isEmpty ? "not stated" : app)
    }
}

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
