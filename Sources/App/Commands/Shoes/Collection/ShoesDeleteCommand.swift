import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync shoes delete`
enum ShoesDeleteCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes delete", "Delete a pair of shoes and its sessions",
        discussion: [
            "Steps of its sessions become unattributed. This cannot be undone. To keep sessions and totals of shoes that you "
                + "no longer wear, archive them instead.",
            "Asks for confirmation twice on a terminal. Otherwise --yes is required.",
        ],
        arguments: [ShoeChoice.argument], options: [.flag("yes", letter: "y", "Do not ask for confirmation")],
        examples: ["shoes delete speedcross 6", "shoes delete pegasus --yes"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let (shoe, count) = try await context.withEngine(.reading, settings: settings) { engine in
            let shoe = try ShoeChoice.shoe(context.parsed.arguments, among: try await engine.shoes.all())
            return (shoe, try await engine.shoes.sessions().all.count { $0.shoe == shoe.id })
        }
        let sessions = Figures.count(count, "session")
        try await context.confirm("Delete \(ShoeNames.label(shoe))")
        if count > 0 { try await context.confirm("\(sessions) will become unattributed permanently. Delete anyway") }
        let deletion = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.shoes.run(.delete(shoe.id))
        }
        context.show(
            text: [
                "deleted: \(ShoeNames.label(shoe)) (\(ShoeNames.shortID(shoe.id))); "
                    + "\(Figures.count(deletion.sessions.count, "session")) unattributed"
            ],
            json: [
                "deleted": ShoeView.details(shoe, settings.clock),
                "sessions": deletion.sessions.count,
            ])
        return .done
    }
}
