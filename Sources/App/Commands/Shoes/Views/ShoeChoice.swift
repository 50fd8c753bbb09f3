import HealthSyncDomain

/// The shoe that a person means on a command line.
enum ShoeChoice {
    static let argument = ArgumentDeclaration(
        "SHOE", "Brand and model, or the model alone, in any case; or the beginning of its id", repeats: true)
    static let optionalArgument = ArgumentDeclaration(
        "SHOE", argument.summary, isOptional: true, repeats: true)

    /// The least that is taken for the beginning of an id.
    private static let shortestID = 4

    /// The shoe that `words` name; throws `.usage` where none or several are meant.
    static func shoe(_ words: [String], among shoes: [Shoe]) throws(SyncFailure) -> Shoe {
        let text = words.joined(separator: " ")
        let typed = text.lowercased()
        let ways: [(Shoe) -> Bool] = [
            { $0.name.lowercased() == typed }, { $0.details.model.lowercased() == typed },
            { typed.count >= shortestID && ShoeNames.text($0.id).hasPrefix(typed) },
        ]
        for means in ways {
            let meant = shoes.filter(means)
            if meant.count > 1 { throw ambiguous(text, meant) }
            if let shoe = meant.first { return shoe }
        }
        let nearest = Suggestion.nearest(to: text, among: shoes.flatMap { [$0.name, $0.details.model] })
        throw .usage(
            "SHOE", "there is no shoe \"\(UntrustedText.escaped(text))\"",
            advice: nearest.map { "did you mean \(UntrustedText.escaped($0))?" } ?? "see `healthsync shoes list`")
    }

    private static func ambiguous(_ text: String, _ shoes: [Shoe]) -> SyncFailure {
        let names = shoes.map { shoe in
            "\(ShoeNames.shortID(shoe.id)) (\(UntrustedText.escaped(shoe.name))\(shoe.isArchived ? ", archived" : ""))"
        }
        return .usage(
            "SHOE", "\"\(UntrustedText.escaped(text))\" is the name of \(shoes.count) shoes",
            advice: "name one by its id: \(names.joined(separator: ", "))")
    }
}
