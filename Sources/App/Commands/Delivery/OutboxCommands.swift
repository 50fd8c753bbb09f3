import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync outbox list`
enum OutboxListCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox list", "List waiting and rejected items",
        discussion: ["Lists the items for all servers, or with --server those for one."],
        options: [
            .value(
                "state", "STATE", "List only items in this state: waiting, in-flight, rejected or delivered",
                default: "all but delivered"),
            .value("limit", "N", "List at most this many of each state", default: "100"),
        ], examples: ["outbox list --state rejected", "outbox list --state delivered --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let states = try Self.states(context.parsed.text("state"))
        let limit = try context.parsed.integer("limit", in: 1...1_000_000) ?? 100
        let isOneServer = context.parsed.has("server")
        let (items, counts) = try await context.withEngine(.reading, settings: settings) { engine in
            let server = isOneServer ? try await engine.outbox.servers().configured : nil
            return (
                try await engine.outbox.list(in: states, destination: server, limit: limit),
                try await engine.outbox.counts(destination: server)
            )
        }
        let views = items.sorted { $0.id < $1.id }.map { OutboxItemView(item: $0, clock: settings.clock) }
        var table = TextTable(heads: OutboxItemView.heads)
        for view in views { view.addRow(to: &table) }
        let remainders = states.flatMap { state in
            let (shown, all) = (items.count { $0.state == state }, counts[state] ?? 0)
            let text =
                "\(Figures.grouped(shown)) of \(Figures.grouped(all)) \(OutboxItemView.word(for: state)) items; "
                + "list more with --limit"
            return shown < all ? context.style.wrapped(text) : []
        }
        context.show(
            charts: views.isEmpty
                ? ["the outbox is empty"]
                : table.lines(fitting: context.style) + (remainders.isEmpty ? [] : [""] + remainders),
            json: ["items": views])
        return .done
    }

    private static func states(_ text: String?) throws(SyncFailure) -> [DeliveryState] {
        guard let text else { return [.pending, .leased, .dead] }
        // The names in JSON documents are accepted too.
        let words: [String: DeliveryState] = ["waiting": .pending, "in-flight": .leased, "rejected": .dead]
        guard let state = words[text] ?? DeliveryState(rawValue: text) else {
            throw .usage(
                "--state", "unknown state \"\(text)\"",
                advice: "use one of waiting, in-flight, rejected, delivered")
        }
        return [state]
    }
}

/// `healthsync outbox show`
enum OutboxShowCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox show", "Show one item of the outbox with its payload",
        arguments: [ArgumentDeclaration("ID", "The id of the item, from `outbox list`")], examples: ["outbox show 12"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let id = try OutboxSelection.id(context.parsed.arguments[0])
        let item = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.outbox.item(id: id)
        }
        guard let item else { throw OutboxSelection.noItem(id) }
        let view = OutboxItemView(item: item, clock: settings.clock)
        context.show(charts: view.lines(context.style), json: view.fullJSON)
        return .done
    }
}

/// `healthsync outbox retry`
enum OutboxRetryCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox retry", "Send rejected items again",
        discussion: [
            "Sends them at once, with all that is queued, as `push` does. Without a configured server they wait for the "
                + "next delivery."
        ],
        arguments: OutboxSelection.arguments, options: OutboxSelection.options + PushCommand.options,
        examples: ["outbox retry 12 15", "outbox retry --all"], uses: [.server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.settings()
        _ = try DeliveryDeadline.seconds(context.parsed)
        let count = try await OutboxSelection.change(in: context) { try await $0.retry(ids: $1) }
        if settings.server != nil {
            return try await PushCommand.push(settings, as: .push, retried: count, in: context)
        }
        let verb = count == 1 ? "waits" : "wait"
        context.show(
            text: ["\(Figures.count(count, "item")) \(verb) for the next delivery"], json: ["retried": count])
        return .done
    }
}

/// `healthsync outbox drop`
enum OutboxDropCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox drop", "Delete rejected items permanently",
        arguments: OutboxSelection.arguments, options: OutboxSelection.options,
        examples: ["outbox drop 12 15", "outbox drop --all"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let count = try await OutboxSelection.change(in: context) { try await $0.drop(ids: $1) }
        context.show(
            text: ["\(Figures.count(count, "item")) deleted"],
            json: ["dropped": count])
        return .done
    }
}

/// `healthsync outbox forget`
enum OutboxForgetCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox forget", "Delete what waits for a server that is no longer used",
        discussion: [
            "Deletes all items for the server, and what is known about it. Nothing on the server changes, and nothing of your "
                + "data. If it is configured again, everything is sent to it.",
            "Asks for confirmation on a terminal. Otherwise --yes is required.",
        ],
        arguments: [ArgumentDeclaration("URL", "The address of the server, from `status`")],
        options: [.flag("yes", letter: "y", "Do not ask for confirmation")],
        examples: ["outbox forget https://old.example.org", "outbox forget http://127.0.0.1:8001 --yes"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let address = context.parsed.arguments[0]
        let settings = try await context.settings()
        let (servers, counts) = try await context.withEngine(.reading, settings: settings) { engine in
            (try await engine.outbox.servers(), try await engine.outbox.counts(destination: address))
        }
        guard servers.known.contains(address) else {
            throw SyncFailure.usage(
                "URL", "\"\(address)\" is not the address of a known server",
                advice: servers.known.isEmpty
                    ? "nothing was ever queued for a server" : "use one of \(servers.known.joined(separator: ", "))")
        }
        let file = try SettingsResolver(environment: context.environment, parsed: context.parsed).file
        let isStated = try file?[.serverURL].map { SettingsResolver.isSameServer(try $0.string(), address) } ?? false
        guard servers.configured != address, !isStated else {
            throw SyncFailure.usage(
                "URL", "\(address) is the configured server", advice: "remove it from the configuration first")
        }
        let items = counts.filter { $0.key != .delivered }.values.reduce(0, +)
        try await context.confirm("Delete \(Figures.count(items, "item")) for \(address)")
        let count = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.outbox.forget(destination: address)
        }
        context.show(
            text: ["\(address) forgotten, \(Figures.count(count, "item")) deleted"],
            json: ["server": address, "dropped": count])
        return .done
    }
}

/// The rejected items that a command selects.
private enum OutboxSelection {
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
