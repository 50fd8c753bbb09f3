import HealthSyncDomain
import HealthSyncPorts

/// `healthsync generate`
enum GenerateCommand: Command {
    private static let example = ExportGenerationRequest(outPath: "")

    static let declaration = CommandDeclaration(
        "generate", "Write a synthetic export in Apple's format, with its expected results",
        discussion: [
            "All data is generated from the seed. The same options give the same bytes on every machine. The time zone is "
                + "\(example.zoneName) or that of --zone, regardless of the system and the configuration.",
            "Replaces existing files only with --force.",
        ],
        options: [
            .value("out", "FILE", "Write the export to this .zip or .xml file; required"),
            .value("truth", "FILE", "Write the expected results of each day to this JSON file", default: "none"),
            .value("years", "N", "Generate this many years, 1 to 50", default: "\(example.years)"),
            .value("seed", "N", "Use this seed of the random generator", default: "\(example.seed)"),
            .value("last-day", "DAY", "End with this day, YYYY-MM-DD", default: "\(example.lastDay)"),
            .value("density", "FACTOR", "Multiply the number of measurements, 0.05 to 20", default: "1"),
            .flag("no-travel", "Stay in one time zone"),
            .flag("force", "Replace existing files"),
        ], examples: ["generate --years 10 --seed 42 --out export.zip --truth truth.json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let request = try Self.request(context)
        let generated = try await context.environment.factory.generator.generate(
            request, progress: context.environment.progress(context.verbosity))
        context.show(
            text: [
                "\(Figures.count(generated.records, "record")) of \(generated.days.first) to \(generated.days.last) "
                    + "written to \(request.outPath)"
            ],
            json: [
                "path": request.outPath, "truthPath": request.truthPath,
                "days": generated.days,
                "records": generated.records, "xmlBytes": generated.xmlBytes,
                "seed": "\(request.seed)", "zone": request.zoneName,
            ])
        return .done
    }

    private static func request(_ context: CommandContext) throws(SyncFailure) -> ExportGenerationRequest {
        let parsed = context.parsed
        let paths = PathResolver(home: context.environment.variables["HOME"])
        let folder = context.environment.workingDirectory
        guard let out = parsed.text("out") else {
            throw .usage("--out", "missing option", advice: "name the file to write: --out export.zip")
        }
        var request = ExportGenerationRequest(outPath: paths.absolute(out, from: folder))
        request.truthPath = parsed.text("truth").map { paths.absolute($0, from: folder) }
        request.years = try parsed.integer("years", in: 1...50) ?? request.years
        request.seed = try seed(parsed) ?? request.seed
        request.lastDay = try parsed.day("last-day") ?? request.lastDay
        request.density = try density(parsed) ?? request.density
        if let zone = parsed.text("zone") {
            let stated = SettingValue(text: zone, subject: "--zone", place: .option)
            request.zoneName = try stated.zoneRules(context.environment.time).identifier
        }
        request.includesTravel = !parsed.has("no-travel")
        request.replacesFiles = parsed.has("force")
        return request
    }

    private static func seed(_ parsed: ParsedCommand) throws(SyncFailure) -> UInt64? {
        guard let text = parsed.text("seed") else { return nil }
        guard let seed = UInt64(text) else {
            throw .usage("--seed", "invalid number \"\(text)\"", advice: "use a whole number from 0 to 2^64 - 1")
        }
        return seed
    }

    private static func density(_ parsed: ParsedCommand) throws(SyncFailure) -> Double? {
        guard let text = parsed.text("density") else { return nil }
        guard let density = Double(text), (0.05...20).contains(density) else {
            throw .usage("--density", "invalid number \"\(text)\"", advice: "use a number from 0.05 to 20")
        }
        return density
    }
}
