import HealthSyncDomain
import HealthSyncPorts

/// The form that imports a file, the import in progress and the last result.
struct ImportPage: Page {
    static let address = "/view/import"
    let name = "Import"
    /// Linked from Summary and Sync.
    let entry = "Sync"
    let home: LocalSources
    let imports: any ImportActions

    func content(_ context: PageContext) async throws -> [Markup] {
        let history = try await home.runs.runHistory(limit: 1)
        let current = CurrentRunSection(history: history, context: context)
        let last = await imports.lastImport()
        return [
            .tag("p", [.id("run-status"), .init("role", "status"), .init("aria-live", "polite")], current.status),
            .tag("div", [.id("live-at-work"), .init("data-live")], current.markup),
            .tag(
                "div", [.id("live-import"), .init("data-live")],
                last.map { Self.line($0, hasRecords: context.recorded != nil, context) } ?? .nothing),
            await ImportForm(imports: imports, context: context).markup,
        ]
    }

    private static func line(_ last: StartedImport, hasRecords: Bool, _ context: PageContext) -> Markup {
        let file = Markup.tag("strong", [], .tag("bdi", [], .text(last.file)))
        guard let outcome = last.outcome else {
            return .tag(
                "p", [.class("notice in-progress"), .id("started")], "The import of ", file, " is in progress since ",
                context.moment(last.at), ".")
        }
        let words = outcome.filter { $0 != "`" }.shortened(to: longestOutcome)
        let link: [Markup] = hasRecords ? [" ", .tag("a", [.href("/")], "See the figures"), "."] : []
        return .tag(
            "p", [.class(last.isGood ? "notice" : "notice warn"), .id("started")],
            [file, .text(": \(words).")] + link)
    }

    private static let longestOutcome = 600
}
