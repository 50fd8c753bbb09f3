import HealthSyncDomain

/// `healthsync service status`
enum ServiceStatusCommand: Command {
    static let declaration = CommandDeclaration(
        "service status", "Show whether systemd runs your services, and when next",
        discussion: ["Exits with status 1 if a service is installed that does not run, or whose last run failed."],
        arguments: [UserService.argument])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let units = try UserUnits(context)
        let services = try UserService.named(context.parsed.arguments, usual: UserService.allCases)
        var states: [UserServiceState] = []
        for service in services { states.append(try await state(of: service, units)) }
        var table = TextTable([.left, .left])
        for state in states { table.add(state.service.rawValue, state.text) }
        context.show(text: table.lines(), json: ["services": states.map(\.json)])
        return states.contains { $0.isInstalled && !$0.isSound } ? .metricFailed : .done
    }

    private static func state(of service: UserService, _ units: UserUnits) async throws -> UserServiceState {
        let names = UserServiceState.properties.joined(separator: ",")
        func properties(_ unit: String) async throws -> [String: String] {
            let output = try await units.control(["show", unit, "--property=\(names)"])
            var values: [String: String] = [:]
            for line in output.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
            }
            return values
        }
        return UserServiceState(
            service: service, enabled: try await properties(service.enabledUnit),
            run: try await properties(service.serviceUnit))
    }
}
