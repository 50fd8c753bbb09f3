import HealthSyncDomain
import HealthSyncPorts

/// The imported sources, the latest first, and what the feeds among them lack.
struct SourcesSection {
    let sources: [IngestedSource]
    /// The samples of exports that no feed sent.
    let unsent: UnsentSamples
    /// Whether the user can import a file on the pages.
    var hasImport = false
    let context: PageContext

    private static let mostShown = 50

    private var lack: Markup {
        guard let summary = unsent.summary else { return .nothing }
        return .tag("p", [.id("unsent"), .class("notice warn")], .text("\(summary)."))
    }

    private var link: Markup {
        hasImport ? .tag("p", [], .tag("a", [.href(ImportPage.address)], "Import a file")) : .nothing
    }

    var markup: Markup {
        let title = Markup.tag("h2", [], "Last imports")
        guard !sources.isEmpty else {
            return .tag("section", [.class("card"), .id("sources")], title, .tag("p", [], "Nothing yet."), link)
        }
        var table = DataTable("Sources", [.text("File"), .text("Kind"), .text("Exported"), .text("Imported")])
        for source in sources.prefix(Self.mostShown) {
            table.add([
                .text(source.fingerprint.path), .text(source.provider),
                source.exportDate.map { context.moment($0) } ?? "–", context.moment(source.ingestedAt),
            ])
        }
        return .tag("section", [.class("card"), .id("sources")], [title, lack, table.markup, link])
    }
}
