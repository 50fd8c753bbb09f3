import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// Finds the shoe that a command line names.
enum ShoeChoice {
    static let argument = ArgumentDeclaration(
        "SHOE", "Brand and model, the beginning of either, or of the id, in any case", repeats: true)
    static let optionalArgument = ArgumentDeclaration(
        "SHOE", argument.summary, isOptional: true, repeats: true)

    /// The minimum length of an id prefix.
    private static let shortestID = 4

    /// Returns the shoe that `words` name. Throws `.usage` for no match or several.
    static func shoe(_ words: [String], among shoes: [Shoe]) throws(SyncFailure) -> Shoe {
        let text = words.joined(separator: " ")
        let typed = text.lowercased()
        let rules: [(Shoe) -> Bool] = [
            { $0.name.lowercased() == typed }, { $0.details.model.lowercased() == typed },
            { typed.count >= shortestID && ShoeNames.text($0.id).hasPrefix(typed) },
            { !typed.isEmpty && beginnings(of: $0).contains { $0.hasPrefix(typed) } },
        ]
        for matches in rules {
            let found = shoes.filter(matches)
            if found.count > 1 { throw ambiguous(text, found) }
            if let shoe = found.first { return shoe }
        }
        let nearest = Suggestion.nearest(to: text, among: shoes.flatMap { [$0.name, $0.details.model] })
        throw .usage(
            "SHOE", "no such shoe: \"\(UntrustedText.escaped(text))\"",
            advice: nearest.map { "did you mean \(UntrustedText.escaped($0))?" } ?? "see `healthsync shoes list`")
    }

    /// Returns the name and the model in lower case, from each of their words on.
    private static func beginnings(of shoe: Shoe) -> [String] {
        let words = shoe.name.lowercased().split(separator: " ")
        return [shoe.details.model.lowercased()] + words.indices.map { words[$0...].joined(separator: " ") }
    }

    private static func ambiguous(_ text: String, _ shoes: [Shoe]) -> SyncFailure {
        let names = shoes.map { shoe in
            "\(ShoeNames.shortID(shoe.id)) (\(UntrustedText.escaped(shoe.name))\(shoe.isArchived ? ", archived" : ""))"
        }
        return .usage(
            "SHOE", "\"\(UntrustedText.escaped(text))\" matches \(shoes.count) shoes",
            advice: "use an id: \(names.joined(separator: ", "))")
    }
}

// Common parts of the shoe commands.
extension CommandContext {
    /// Returns the shoe that the arguments name, or `nil` without arguments.
    func namedShoe(_ engine: SyncEngine) async throws -> Shoe? {
        guard !parsed.arguments.isEmpty else { return nil }
        return try ShoeChoice.shoe(parsed.arguments, among: try await engine.shoes.all())
    }

    /// Shows a shoe after a change.
    func showShoe(_ shoe: Shoe, _ what: String, clock: DayClock) {
        show(
            text: ["\(what): \(ShoeNames.label(shoe)) (\(ShoeNames.shortID(shoe.id)))"],
            json: ShoeView.details(shoe, clock))
    }

    /// Changes the shoe that the arguments name, and shows it.
    func change(
        _ what: String, _ action: (Shoe) throws -> ShoeAction<Shoe>
    ) async throws -> ExitStatus {
        let settings = try await localSettings()
        let shoe = try await withEngine(.writing, settings: settings) { engine in
            let shoe = try ShoeChoice.shoe(parsed.arguments, among: try await engine.shoes.all())
            return try await engine.shoes.run(try action(shoe))
        }
        showShoe(shoe, what, clock: settings.clock)
        return .done
    }
}
