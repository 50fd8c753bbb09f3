import HealthSyncDomain

/// Where the recorded data end: a notice if they are old, otherwise a quiet line.
struct FreshnessLine {
    let freshness: DataFreshness
    /// Whether the user can import a file and pair a phone on the pages.
    var hasImport = false

    var markup: Markup {
        let statement = Markup.tag("strong", [], .text(freshness.statement))
        guard freshness.isOld else {
            return .tag("p", [.class("quiet"), .id("freshness")], .text(freshness.statement))
        }
        return .tag(
            "p", [.class("notice warn"), .id("freshness"), .init("role", "note")],
            statement, ". ", remedy, ".")
    }

    /// The remedy, with links to what the pages can do.
    private var remedy: Markup {
        guard hasImport else { return .text(DataFreshness.remedy) }
        return .tag("a", [.href(ImportPage.address)], "Export again") + ", or "
            + .tag("a", [.href(DevicesPage.address)], "connect the phone")
    }
}
