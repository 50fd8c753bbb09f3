import HealthSyncDomain
import HealthSyncPorts

/// The imported sources, the latest first.
struct SourcesSection {
    let sources: [IngestedSource]
    let context: PageContext

    private static let mostShown = 50

    var markup: Markup {
        let title = Markup.tag("h2", [], "Last imports")
        guard !sources.isEmpty else {
            return .tag("section", [.class("card"), .id("sources")], title, .tag("p", [], "Nothing yet."))
        }
        var table = DataTable("Sources", [.text("File"), .text("Kind"), .text("Exported"), .text("Imported")])
        for source in sources.prefix(Self.mostShown) {
            table.add([
                .text(source.fingerprint.path), .text(source.provider),
                source.exportDate.map { context.moment($0) } ?? "–", context.moment(source.ingestedAt),
            ])
        }
        return .tag("section", [.class("card"), .id("sources")], title, table.markup)
    }
}
