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
        try confirm("Delete \(ShoeNames.label(shoe))", in: context)
        if count > 0 { try confirm("\(sessions) will become unattributed permanently. Delete anyway", in: context) }
        let deletion = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.shoes.run(.delete(shoe.id))
        }
        context.show(
            text: [
                "deleted: \(ShoeNames.label(shoe)) (\(ShoeNames.shortID(shoe.id))); "
                    + "\(Figures.count(deletion.sessions.count, "session")) unattributed"
            ],
            json: [
                "deleted": .object(ShoeView.members(shoe, settings.clock)),
                "sessions": .count(deletion.sessions.count),
            ])
        return .done
    }

    private static func confirm(_ question: String, in context: CommandContext) throws(SyncFailure) {
        guard !context.parsed.has("yes") else { return }
        switch context.confirm(question) {
        case true?: return
        case false?:
            throw SyncFailure(
                .cancelled, subject: "shoes delete", reason: "nothing was changed",
                advice: "answer y or add --yes to confirm")
        case nil:
            throw .usage("shoes delete", "standard input is not a terminal", advice: "add --yes to confirm")
        }
    }
}
