import HealthSyncDomain

/// `healthsync man`
enum ManCommand: Command {
    static let declaration = CommandDeclaration(
        "man", "Print a manual page for `man`",
        arguments: [
            ArgumentDeclaration(
                "PAGE", "healthsync.1, healthsync-config.5 or healthsync-serve.8", isOptional: true)
        ], examples: ["man", "man healthsync-config.5"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let name = context.parsed.arguments.first ?? ManualPages.names[0]
        let pages = ManualPages(commands: CommandTable.declarations, version: context.environment.version)
        guard let page = pages.page(name) else {
            throw SyncFailure.usage(
                name, "no such page", advice: "use one of \(ManualPages.names.joined(separator: ", "))")
        }
        context.environment.output(
            context.parsed.has("json") ? JSONText.document(["page": name, "roff": page]) : page)
        return .done
    }
}
