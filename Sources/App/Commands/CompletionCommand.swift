import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync completion`
enum CompletionCommand: Command {
    static let declaration = CommandDeclaration(
        "completion", "Print a script that lets a shell complete command lines",
        discussion: [
            "Also prints the lists that these scripts use: metrics, services, shoes and zones. In bash, add "
                + "`source <(healthsync completion bash)` to ~/.bashrc. Packages install the scripts."
        ],
        arguments: [ArgumentDeclaration("SHELL", "bash, zsh or fish; or metrics, services, shoes or zones")],
        examples: ["completion bash", "completion metrics"])

    private static let lists = ["metrics", "services", "shoes", "zones"]

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let name = context.parsed.arguments.first ?? ""
        if let script = CompletionScripts(commands: CommandTable.declarations).script(name)?
            .replacing(ProgramName.standard, with: context.environment.programName)
        {
            context.environment.output(
                context.parsed.has("json") ? JSONText.document(["shell": name, "script": script]) : script)
            return .done
        }
        guard lists.contains(name) else {
            throw SyncFailure.usage(
                name, "no such shell or list",
                advice: "use one of \((CompletionScripts.shells + lists).joined(separator: ", "))")
        }
        let words = try await list(name, in: context)
        context.show(text: words, json: ["words": words])
        return .done
    }

    private static func list(_ name: String, in context: CommandContext) async throws -> [String] {
        switch name {
        case "zones": return zones(context.environment)
        case "services": return UserService.allCases.map(\.rawValue)
        case "metrics":
            let factory = context.environment.factory
            let settings = try await context.settings()
            let handlers = factory.handlers(settings)
            let further = MetricChoice.furtherTypes(factory, offered: handlers)
                .compactMap { factory.quantityHandler($0, settings) }
            return Set((handlers + further).flatMap { $0.results.map(\.metric.rawValue) }).sorted()
        default:
            let settings = try await context.localSettings()
            let collection = try await context.withEngine(.reading, settings: settings) { engine in
                try await engine.shoes.shoeCollection()
            }
            return collection.shoes.map(\.name).sorted()
        }
    }

    /// Returns the names of the zones and links in the system's time zone database; none if it has no list.
    private static func zones(_ environment: CommandEnvironment) -> [String] {
        let folder = environment.variables["TZDIR"] ?? "/usr/share/zoneinfo"
        let bytes = (try? environment.files.read(folder + "/tzdata.zi", limit: 1 << 20)) ?? []
        let names = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            switch words.first {
            case "Z" where words.count > 1: return words[1]
            case "L" where words.count > 2: return words[2]
            default: return nil
            }
        }
        return names.map(String.init).sorted()
    }
}
