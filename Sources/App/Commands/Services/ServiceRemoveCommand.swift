import HealthSyncDomain

/// `healthsync service remove`
enum ServiceRemoveCommand: Command {
    static let declaration = CommandDeclaration(
        "service remove", "Stop the services of `service install` and delete their units",
        discussion: ["Without a name removes all of them. Data and backups stay."],
        arguments: [UserService.argument], examples: ["service remove", "service remove watch"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let units = try UserUnits(context)
        let installed = try await units.installed()
        let services = try UserService.named(context.parsed.arguments, usual: installed).filter(installed.contains)
        if !services.isEmpty {
            _ = try await units.control(["disable", "--now"] + services.map(\.enabledUnit))
            for service in services { try await units.delete(service) }
            _ = try await units.control(["daemon-reload"])
        }
        let names = services.map(\.rawValue)
        context.show(
            text: [names.isEmpty ? "no service is installed" : "removed: \(names.joined(separator: ", "))"],
            json: ["removed": names])
        return .done
    }
}
