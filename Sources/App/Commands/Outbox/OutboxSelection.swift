import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The rejected items that a command selects.
enum OutboxSelection {
    static let arguments = [
        ArgumentDeclaration("ID", "Ids of rejected items, from `outbox list`", isOptional: true, repeats: true)
    ]
    static let options: [OptionDeclaration] = [.flag("all", "Select all rejected items")]

    /// Applies `change` to the items that the command names. Returns how many items changed.
    static func change(
        in context: CommandContext, by change: @Sendable (OutboxItems, [Int64]?) async throws -> Int
    ) async throws -> Int {
        let settings = try await context.settings()
        let ids = try ids(context.parsed)
        try context.requireDatabase(of: settings)
        return try await context.withEngine(.writing, settings: settings) { engine in
            try await check(ids, in: engine.outbox)
            return try await change(engine.outbox, ids)
        }
    }

    /// Returns the ids, or `nil` for all. Requires either ids or `--all`, so that a forgotten id does not affect all items.
    static func ids(_ parsed: ParsedCommand) throws(SyncFailure) -> [Int64]? {
        guard parsed.has("all") == parsed.arguments.isEmpty else {
            throw .usage(
                parsed.path.joined(separator: " "), "requires either ids or --all",
                advice: "see `healthsync outbox list --state rejected`")
        }
        if parsed.has("all") { return nil }
        var ids: [Int64] = []
        for text in parsed.arguments { ids.append(try id(text)) }
        return ids
    }

    /// Throws if one of the ids is not that of a rejected item, before anything changes.
    private static func check(_ ids: [Int64]?, in outbox: OutboxItems) async throws {
        for id in ids ?? [] {
            guard let item = try await outbox.item(id: id) else { throw noItem(id) }
            guard item.state == .dead else {
                throw SyncFailure.usage(
                    "ID", "item \(id) is \(OutboxItemView.word(for: item.state)), not rejected",
                    advice: "see `healthsync outbox list --state rejected`")
            }
        }
    }

    /// Returns the error for an id without item.
    static func noItem(_ id: Int64) -> SyncFailure {
        .usage("ID", "no item \(id)", advice: "see `healthsync outbox list`")
    }

    /// Parses the id of an item.
    static func id(_ text: String) throws(SyncFailure) -> Int64 {
        guard let id = Int64(text), id > 0 else {
            throw .usage("ID", "invalid id \"\(text)\"", advice: "see `healthsync outbox list`")
        }
        return id
    }
}
