import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync export`
enum ExportCommand: Command {
    static let declaration = CommandDeclaration(
        "export", "Write the samples kept at home as rows",
        discussion: [
            "Each sample once, with its identity, source, device, start, end, value in the canonical unit of its type, and "
                + "zone. Derived days and nights, shoes, types that are not kept, and what is no sample (workouts, activity "
                + "summaries, correlations) are not in it. A file that exists is not replaced."
        ],
        options: [
            .value("format", "FORMAT", "jsonl, csv or sqlite", default: "by the name of the file"),
            .value("out", "FILE", "Write there; needed"),
            .value("types", "NAMES", "Only these types, names with commas between them", default: "all"),
            .value("from", "DAY", "Begin with this day, YYYY-MM-DD", default: "the first"),
            .value("to", "DAY", "End with this day, YYYY-MM-DD", default: "the last"),
        ], examples: ["export --out samples.csv --types stepCount,heartRate", "export --format jsonl --out rows.txt"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let parsed = context.parsed
        let environment = context.environment
        guard let out = parsed.text("out") else {
            throw SyncFailure.usage("--out", "is missing", advice: "name the file to write: --out samples.csv")
        }
        let path = PathResolver(home: environment.variables["HOME"]).absolute(out, from: environment.workingDirectory)
        let format = try Self.format(parsed.text("format"), path: path)
        let days = try parsed.dayRange()
        let names = try parsed.names("types")
        var settings = try context.settings()
        settings.types = .ofMetrics
        let clock = settings.clock
        let count = try await context.withEngine(.reading, settings: settings) { engine in
            let stored = try await engine.ports.pages.storedTypes()
            let types = try names.map { try StoredTypes.named($0, among: stored).map(\.type) }
            return try await engine.export(
                types: types, days: days, to: try environment.factory.rowWriter(format, path))
        }
        context.show(
            text: ["\(Figures.count(count, "sample")) written to \(path)"],
            json: [
                "path": .string(path), "format": .string(format.rawValue), "samples": .count(count),
                "zone": .string(clock.home.identifier),
            ])
        return .done
    }

    private static func format(_ text: String?, path: String) throws(SyncFailure) -> ExportFormat {
        let names = ExportFormat.allCases.map(\.rawValue)
        if let text {
            guard let format = ExportFormat(rawValue: text) else {
                throw .usage(
                    "--format", "\"\(text)\" is no format", advice: "formats are \(names.joined(separator: ", "))")
            }
            return format
        }
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let format = ExportFormat(rawValue: ending) else {
            throw .usage(
                "--format", "is missing and the name of the file does not tell it",
                advice: "give one of \(names.joined(separator: ", "))")
        }
        return format
    }
}
