import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync export`
enum ExportCommand: Command {
    static let declaration = CommandDeclaration(
        "export", "Write the stored samples to a file",
        discussion: [
            "Writes each sample once, with id, source, device, start, end, time zone, and value in the canonical unit of its "
                + "type. Derived records, shoes, types that are not stored, and workouts, activity summaries and "
                + "correlations are not exported. Does not replace existing files. `--out -` writes to standard output, and the "
                + "summary to standard error.",
            "In CSV, a text that begins with = + - @, a tab, a line break or an apostrophe gets an apostrophe before it, so that "
                + "no spreadsheet program runs it as a formula. Numbers are unchanged.",
        ],
        options: [
            .value(
                "format", "FORMAT", "Write this format: jsonl, csv or sqlite", default: "from the file name extension"),
            .flag(
                "unescaped", "In CSV, write texts unchanged that a spreadsheet program may run as formulas"),
            .value("out", "FILE", "Write to this file, or to standard output for -; required"),
            .value("types", "NAMES", "Export only these types, separated by commas", default: "all"),
            .value("from", "DAY", "Start with this day, YYYY-MM-DD", default: "the first day"),
            .value("to", "DAY", "End with this day, YYYY-MM-DD", default: "the last day"),
        ], examples: ["export --out samples.csv --types stepCount,heartRate", "export --format csv --out -"])

    private static let standardOutput = "/dev/stdout"

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let parsed = context.parsed
        let environment = context.environment
        guard let out = parsed.text("out") else {
            throw SyncFailure.usage("--out", "missing option", advice: "name the file to write: --out samples.csv")
        }
        let path =
            out == "-"
            ? standardOutput
            : PathResolver(home: environment.variables["HOME"]).absolute(out, from: environment.workingDirectory)
        let format = try Self.format(parsed.text("format"), path: path)
        let days = try parsed.dayRange()
        let names = try parsed.names("types")
        var settings = try await context.settings()
        settings.types = .ofMetrics
        let clock = settings.clock
        let count = try await context.withEngine(.reading, settings: settings) { engine in
            let stored = try await engine.types.stored()
            let types = try names.map { try StoredTypes.named($0, among: stored).map(\.type) }
            return try await engine.export.run(
                types: types, days: days,
                to: try environment.factory.rowWriter(format, path, !parsed.has("unescaped")))
        }
        guard let count else { return .done }
        guard path != standardOutput else {
            // Standard output contains the samples alone.
            context.warn("\(Figures.count(count, "sample")) written to standard output")
            return .done
        }
        context.show(
            text: ["\(Figures.count(count, "sample")) written to \(path)"],
            json: [
                "path": path, "format": format.rawValue, "samples": count,
                "zone": clock.home.identifier,
            ])
        return .done
    }

    private static func format(_ text: String?, path: String) throws(SyncFailure) -> ExportFormat {
        let names = ExportFormat.allCases.map(\.rawValue)
        if let text {
            guard let format = ExportFormat(rawValue: text) else {
                throw .usage(
                    "--format", "unknown format \"\(text)\"", advice: "use one of \(names.joined(separator: ", "))")
            }
            guard format != .sqlite || path != standardOutput else {
                throw .usage(
                    "--format", "a database needs a file", advice: "use jsonl or csv, or name a file with --out")
            }
            return format
        }
        // Rows of JSON Lines can be written to a pipe; a database cannot.
        if path == standardOutput { return .jsonl }
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let format = ExportFormat(rawValue: ending) else {
            throw .usage(
                "--format", "missing, and the file name has no known extension",
                advice: "use one of \(names.joined(separator: ", "))")
        }
        return format
    }
}
