import HealthSyncDomain

/// The samples of a day: their number by device, and one page of them.
struct SyncedStepsSection {
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
