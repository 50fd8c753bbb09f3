import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync import inbox`
enum ImportInboxCommand: Command {
    static let declaration = CommandDeclaration(
        "import inbox", "Import the archived posts of phones again",
        discussion: [
            "Decodes every post in the archive again and imports its samples, for example after the loss of the database or "
                + "an upgrade. Samples that are stored already are not stored twice. Sends nothing.",
            "Exits with status 3 if a post could not be decoded.",
        ],
        options: [.value("since", "DAY", "Import only posts that were received on this day or later", default: "all")],
        examples: ["import inbox", "import inbox --since 2026-11-01"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        let since = try context.parsed.day("since").map { settings.clock.start(of: $0) }
        guard let factory = context.environment.factory.watching,
            try context.environment.files.status(of: InboxState.folder(of: settings)) != nil
        else {
            throw SyncFailure(
                .noInput, subject: InboxState.folder(of: settings), reason: "no post was ever received",
                advice: "receive posts with `healthsync watch --listen HOST:PORT`")
        }
        let archive = context.environment.factory.inbox.archive(settings)
        for entry in try await archive.entries(limit: .max)
        where entry.state != .waiting && since.map({ entry.head.receivedAt >= $0 }) ?? true {
            try await archive.retry(entry.id)
        }
        let runs = WatchRuns(context: context, settings: settings, factory: factory)
        var decoded = 0
        var samples = 0
        var undecoded: [InboxReport.Undecoded] = []
        while let report = try await runs.importPosts(archive) {
            decoded += report.decoded
            samples += report.samplesStored
            undecoded += report.undecoded
        }
        context.show(
            text: [
                "\(Figures.count(decoded, "post")) imported: \(Figures.count(samples, "new sample"))"
            ]
                + undecoded.map { "\($0.id) (\($0.sender ?? "unknown app")) could not be decoded: \($0.reason)" },
            json: [
                "decoded": .count(decoded), "samplesStored": .count(samples),
                "undecoded": .array(
                    undecoded.map {
                        ["id": .string($0.id), "sender": .optional($0.sender), "reason": .string($0.reason)]
                    }),
            ])
        return undecoded.isEmpty ? .done : .partial
    }
}
