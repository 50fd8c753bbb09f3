import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync inspect`
enum InspectCommand: Command {
    static let declaration = CommandDeclaration(
        "inspect", "Show the content of a source by type and origin",
        discussion: ["Reads the whole source and stores nothing."],
        arguments: [ArgumentDeclaration("SOURCE", "A file, folder or archive")],
        examples: ["inspect export.zip", "inspect export.zip --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.settings()
        let location = try SourceLocations(context.environment)
            .location(context.parsed.arguments[0], from: context.environment.workingDirectory)
        let found = try await context.sources(at: [location], settings)
        let rows = context.environment.factory.typeTable.rows
        var views: [InspectionView] = []
        for source in found.sources {
            let inspection = try await SourceInspection(of: source, knownTypes: rows, time: context.environment.time)
            views.append(InspectionView(inspection: inspection, clock: settings.clock))
        }
        context.show(
            charts: Array(views.map { $0.lines(context.style) }.joined(separator: [""])),
            json: [
                "sources": views,
                "notRead": found.unread.map { UnreadExportView(export: $0, clock: settings.clock) },
            ])
        return views.allSatisfy { $0.inspection.reading.isComplete } ? .done : .badInput
    }
}
