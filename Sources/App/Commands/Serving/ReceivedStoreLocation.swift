import HealthSyncDomain

/// Where a receiving server keeps what it is sent.
package enum ReceivedStoreLocation: Sendable, Hashable {
    /// An SQLite file at this absolute path.
    case sqlite(path: String)

    static let option = OptionDeclaration.value(
        "store", "STORE", "Keep what is received there: sqlite:PATH",
        default: "sqlite:server/received.db in the data folder")

    /// The location that `--store` names.
    static func of(_ context: CommandContext) throws -> ReceivedStoreLocation {
        guard let text = context.parsed.text("store") else {
            return .sqlite(path: try context.settings().dataDirectory + "/server/received.db")
        }
        guard text.hasPrefix("sqlite:"), text.utf8.count > 7 else {
            throw SyncFailure.usage("--store", "\"\(text)\" is no store", advice: "write it as sqlite:PATH")
        }
        let resolver = PathResolver(home: context.environment.variables["HOME"])
        return .sqlite(
            path: resolver.absolute(String(text.dropFirst(7)), from: context.environment.workingDirectory))
    }
}
