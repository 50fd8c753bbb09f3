import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// Which refused items a command is about.
enum OutboxSelection {
    static let arguments = [
        ArgumentDeclaration("ID", "Numbers of refused items, from `outbox list`", isOptional: true, repeats: true)
    ]
    static let options: [OptionDeclaration] = [.flag("all", "All refused items")]

    /// Carries out `change` on the items that the command names; how many it changed.
    static func change(
        in context: CommandContext, by change: @Sendable (any OutboxStore, [Int64]?) async throws -> Int
    ) async throws -> Int {
        let settings = try context.settings()
        let ids = try ids(context.parsed)
        return try await context.withEngine(.writing, settings: settings) { engine in
            try await check(ids, in: engine)
            return try await change(engine.ports.outbox, ids)
        }
    }

    /// The ids, or `nil` for all. Neither or both is an error: nobody shall lose all of them by forgetting a number.
    static func ids(_ parsed: ParsedCommand) throws(SyncFailure) -> [Int64]? {
        guard parsed.has("all") == parsed.arguments.isEmpty else {
            throw .usage(
                parsed.path.joined(separator: " "), "needs either numbers of items or --all",
                advice: "see `healthsync outbox list --state dead`")
        }
        if parsed.has("all") { return nil }
        var ids: [Int64] = []
        for text in parsed.arguments { ids.append(try id(text)) }
        return ids
    }

    /// Refuses numbers of which one is no refused item, before anything is changed.
    private static func check(_ ids: [Int64]?, in engine: SyncEngine) async throws {
        for id in ids ?? [] {
            guard let item = try await engine.ports.outbox.item(id: id) else { throw noItem(id) }
            guard item.state == .dead else {
                throw SyncFailure.usage(
                    "ID", "item \(id) was not refused, it is \(item.state.rawValue)",
                    advice: "see `healthsync outbox list --state dead`")
            }
        }
    }

    /// That no item has the number.
    static func noItem(_ id: Int64) -> SyncFailure {
        .usage("ID", "there is no item \(id)", advice: "see `healthsync outbox list`")
    }

    /// The number of an item.
    static func id(_ text: String) throws(SyncFailure) -> Int64 {
        guard let id = Int64(text), id > 0 else {
            throw .usage("ID", "\"\(text)\" is no number of an item", advice: "see `healthsync outbox list`")
        }
        return id
    }
}
