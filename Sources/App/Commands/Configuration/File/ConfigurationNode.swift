import HealthSyncDomain

/// A configuration value with its key path, so that every error message can name its location.
struct ConfigurationNode: Sendable {
    let text: ConfigurationText
    let path: String
    let element: JSONElement

    /// Returns the members of an object. Throws for names that are not in `names` and for duplicates.
    func members(_ names: [String]) throws(SyncFailure) -> [String: ConfigurationNode] {
        guard case .object(let members) = element.content else { throw wrongKind("an object") }
        var nodes: [String: ConfigurationNode] = [:]
        for member in members {
            let earlier = nodes.updateValue(node(of: member), forKey: member.name)
            guard earlier == nil else {
                throw failure("duplicate key", advice: "remove one of them", at: member)
            }
        }
        for member in members where !names.contains(member.name) {
            let suggestion = Suggestion.nearest(to: member.name, among: names)
            throw failure(
                "no such key",
                advice: suggestion.map { "did you mean \"\($0)\"?" }
                    ?? "valid keys are \(names.joined(separator: ", "))",
                at: member)
        }
        return nodes
    }

    /// Returns a non-empty string.
    func string() throws(SyncFailure) -> String {
        guard case .string(let text) = element.content else { throw wrongKind("text") }
        guard !text.isEmpty else { throw failure("empty value", advice: "set a value or remove the key") }
        return text
    }

    /// Returns the elements of a list.
    func elements() throws(SyncFailure) -> [ConfigurationNode] {
        guard case .array(let elements) = element.content else { throw wrongKind("a list") }
        return elements.enumerated().map {
            ConfigurationNode(text: text, path: "\(path)[\($0.offset)]", element: $0.element)
        }
    }

    /// Returns a list of non-empty strings.
    func strings() throws(SyncFailure) -> [String] {
        var texts: [String] = []
        for element in try elements() { texts.append(try element.string()) }
        return texts
    }

    /// Returns the elements of a list, or this node if it is the text `all`.
    func elementsOrAll() throws(SyncFailure) -> [ConfigurationNode] {
        guard case .string(let text) = element.content else { return try elements() }
        guard text == "all" else {
            throw failure("must be \"all\" or a list of \(path)", advice: "write \"all\" or [\"\(text)\"]")
        }
        return [self]
    }

    /// Returns a whole number in `range`.
    func integer(in range: ClosedRange<Int>) throws(SyncFailure) -> Int {
        switch element.content {
        case .integer(let number):
            guard let number = Int(exactly: number), range.contains(number) else {
                throw failure(
                    "\(number) is out of range",
                    advice: "use a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        case .number: throw failure("must be a whole number", advice: "remove the fraction")
        default: throw wrongKind("a whole number")
        }
    }

    /// Returns a calendar day.
    func day() throws(SyncFailure) -> CalendarDay {
        let text = try string()
        guard let day = CalendarDay(text) else {
            throw failure("invalid date \"\(text)\"", advice: "write a calendar day as YYYY-MM-DD")
        }
        return day
    }

    /// `config.json:3:11: server.url`
    var subject: String { Self.subject(text.location(of: element.offset), path) }

    /// Returns the text with its location.
    func stated() throws(SyncFailure) -> StatedValue {
        StatedValue(text: try string(), subject: subject, place: .file)
    }

    func failure(_ reason: String, advice: String) -> SyncFailure {
        .configuration(subject, reason, advice: advice)
    }

    private func node(of member: JSONElement.Member) -> ConfigurationNode {
        ConfigurationNode(
            text: text, path: path.isEmpty ? member.name : "\(path).\(member.name)", element: member.value)
    }

    private func failure(_ reason: String, advice: String, at member: JSONElement.Member) -> SyncFailure {
        .configuration(Self.subject(text.location(of: member.offset), node(of: member).path), reason, advice: advice)
    }

    private static func subject(_ location: String, _ path: String) -> String {
        path.isEmpty ? location : "\(location): \(path)"
    }

    private func wrongKind(_ wanted: String) -> SyncFailure {
        failure("must be \(wanted), not \(element.kind)", advice: "see docs/configuration.md")
    }
}
