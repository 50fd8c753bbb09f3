import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync shoes add`
enum ShoesAddCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes add", "Add a pair of shoes to the collection",
        arguments: [
            ArgumentDeclaration("BRAND", "The brand"),
            ArgumentDeclaration("MODEL", "The model", repeats: true),
        ],
        options: ShoeDetailOptions.options + [
            .flag("default", "Start a session automatically at the first steps of a day, from today on")
        ],
        examples: [
            "shoes add Salomon Speedcross 6 --price \"139.95 EUR\" --default",
            "shoes add Nike Pegasus --emoji 👟 --purchased 2024-01-02",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let (brand, model) = (context.parsed.arguments[0], context.parsed.arguments.dropFirst().joined(separator: " "))
        let details = try ShoeDetailOptions.applied(context.parsed, to: ShoeDetails(brand: brand, model: model))
        let shoe = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.shoes.run(.add(details, isDefault: context.parsed.has("default")))
        }
        context.showShoe(shoe, "added", clock: settings.clock)
        return .done
    }
}

/// `healthsync shoes edit`
enum ShoesEditCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes edit", "Edit the details of a pair of shoes",
        discussion: [
            "Details that are not named do not change. The value \"none\" removes emoji, color, date or price."
        ],
        arguments: [ShoeChoice.argument],
        options: [
            .value("brand", "BRAND", "Set the brand"), .value("model", "MODEL", "Set the model"),
        ] + ShoeDetailOptions.options,
        examples: ["shoes edit speedcross 6 --price \"129.95 EUR\" --color none"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let parsed = context.parsed
        guard declaration.options.contains(where: { parsed.has($0.name) }) else {
            throw SyncFailure.usage(
                declaration.name, "missing option", advice: "see `healthsync help \(declaration.name)`")
        }
        return try await context.change("changed") { shoe in
            var details = try ShoeDetailOptions.applied(parsed, to: shoe.details)
            if let brand = parsed.text("brand") { details.brand = brand }
            if let model = parsed.text("model") { details.model = model }
            return .edit(shoe.id, details)
        }
    }
}

/// The options for details of a shoe other than its name.
private enum ShoeDetailOptions {
    static let options: [OptionDeclaration] = [
        .value("emoji", "EMOJI", "Show this emoji with its name"),
        .value("color", "COLOR", "Set its color, a name such as blue or #RRGGBB"),
        .value("purchased", "DAY", "Set the date of purchase, YYYY-MM-DD"),
        .value("price", "PRICE", "Set the price with its currency code, such as \"139.95 EUR\""),
    ]

    /// The value that removes a detail.
    private static let nothing = "none"

    /// Returns `details` changed by the options of `parsed`.
    static func applied(_ parsed: ParsedCommand, to details: ShoeDetails) throws(SyncFailure) -> ShoeDetails {
        var details = details
        if let text = parsed.text("emoji") { details.emoji = text == nothing ? nil : text }
        if let text = parsed.text("color") { details.color = text == nothing ? nil : text }
        if let text = parsed.text("purchased") {
            details.purchasedOn = text == nothing ? nil : try parsed.day("purchased")
        }
        if let text = parsed.text("price") { details.price = text == nothing ? nil : try price(text) }
        return details
    }

    private static func price(_ text: String) throws(SyncFailure) -> ShoePrice {
        guard let price = ShoePrice(text) else {
            throw .usage(
                "--price", "invalid price \"\(text)\"",
                advice: "write an amount and a currency code, such as \"139.95 EUR\"")
        }
        return price
    }
}

/// `healthsync shoes default`
enum ShoesDefaultCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes default", "Choose the shoes whose session starts automatically at the first steps of a day",
        arguments: [ShoeChoice.optionalArgument], options: [.flag("none", "Choose no default shoes")],
        examples: ["shoes default speedcross 6", "shoes default --none"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        guard context.parsed.has("none") == context.parsed.arguments.isEmpty else {
            throw SyncFailure.usage(
                declaration.name, "requires either a shoe or --none", advice: "see `healthsync shoes list`")
        }
        let shoe = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.shoes.run(.setDefault(try await context.namedShoe(engine)?.id))
        }
        context.show(
            text: [shoe.map { "default: \(ShoeNames.label($0))" } ?? "no default shoes"],
            json: ["defaultShoe": shoe.map { ShoeView.details($0, settings.clock) } ?? .null])
        return .done
    }
}

/// `healthsync shoes archive`
enum ShoesArchiveCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes archive", "Archive a pair of shoes and keep its sessions and totals",
        arguments: [ShoeChoice.argument], examples: ["shoes archive speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.change("archived") { .archive($0.id) }
    }
}

/// `healthsync shoes unarchive`
enum ShoesUnarchiveCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes unarchive", "Restore an archived pair of shoes",
        arguments: [ShoeChoice.argument], examples: ["shoes unarchive speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.change("restored") { .unarchive($0.id) }
    }
}

/// `healthsync shoes delete`
enum ShoesDeleteCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes delete", "Delete a pair of shoes and its sessions",
        discussion: [
            "Steps of its sessions become unattributed. This cannot be undone. To keep sessions and totals of shoes that you "
                + "no longer wear, archive them instead.",
            "Asks for confirmation twice on a terminal. Otherwise --yes is required.",
        ],
        arguments: [ShoeChoice.argument], options: [.flag("yes", letter: "y", "Do not ask for confirmation")],
        examples: ["shoes delete speedcross 6", "shoes delete pegasus --yes"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let (shoe, count) = try await context.withEngine(.reading, settings: settings) { engine in
            let shoe = try ShoeChoice.shoe(context.parsed.arguments, among: try await engine.shoes.all())
            return (shoe, try await engine.shoes.sessions().all.count { $0.shoe == shoe.id })
        }
        let sessions = Figures.count(count, "session")
        try await context.confirm("Delete \(ShoeNames.label(shoe))")
        if count > 0 { try await context.confirm("\(sessions) will become unattributed permanently. Delete anyway") }
        let deletion = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.shoes.run(.delete(shoe.id))
        }
        context.show(
            text: [
                "deleted: \(ShoeNames.label(shoe)) (\(ShoeNames.shortID(shoe.id))); "
                    + "\(Figures.count(deletion.sessions.count, "session")) unattributed"
            ],
            json: [
                "deleted": ShoeView.details(shoe, settings.clock),
                "sessions": deletion.sessions.count,
            ])
        return .done
    }
}
