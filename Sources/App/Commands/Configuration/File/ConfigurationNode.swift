import HealthSyncDomain

/// A value of the configuration with the way to it, so that every complaint names the place.
struct ConfigurationNode: Sendable {
    let text: ConfigurationText
    let path: String
    let element: JSONElement

    /// The members of an object; one whose name is not among `names`, or that stands twice, is an error.
    func members(_ names: [String]) throws(SyncFailure) -> [String: ConfigurationNode] {
        guard case .object(let members) = element.content else { throw wrongKind("an object") }
        var nodes: [String: ConfigurationNode] = [:]
        for member in members {
            let earlier = nodes.updateValue(node(of: member), forKey: member.name)
            guard earlier == nil else {
                throw failure("stands twice in one object", advice: "remove one of them", at: member)
            }
        }
        for member in members where !names.contains(member.name) {
            let meant = Suggestion.nearest(to: member.name, among: names)
            throw failure(
                "no such key",
                advice: meant.map { "did you mean \"\($0)\"?" } ?? "keys are \(names.joined(separator: ", "))",
                at: member)
        }
        return nodes
    }

    /// A text that is not empty.
    func string() throws(SyncFailure) -> String {
        guard case .string(let text) = element.content else { throw wrongKind("text") }
        guard !text.isEmpty else { throw failure("is empty", advice: "give a value or remove the key") }
        return text
    }

    /// The elements of a list.
    func elements() throws(SyncFailure) -> [ConfigurationNode] {
        guard case .array(let elements) = element.content else { throw wrongKind("a list") }
        return elements.enumerated().map {
            ConfigurationNode(text: text, path: "\(path)[\($0.offset)]", element: $0.element)
        }
    }

    /// A list of texts that are not empty.
    func strings() throws(SyncFailure) -> [String] {
        var texts: [String] = []
        for element in try elements() { texts.append(try element.string()) }
        return texts
    }

    /// A whole number within `range`.
    func integer(in range: ClosedRange<Int64>) throws(SyncFailure) -> Int64 {
        switch element.content {
        case .integer(let number):
            guard range.contains(number) else {
                throw failure("\(number) is not from \(range.lowerBound) to \(range.upperBound)", advice: "change it")
            }
            return number
        case .number: throw failure("must be a whole number", advice: "change it")
        default: throw wrongKind("a whole number")
        }
    }

    /// A calendar day.
    func day() throws(SyncFailure) -> CalendarDay {
        let text = try string()
        guard let day = CalendarDay(text) else {
            throw failure("\"\(text)\" is not a day of the calendar", advice: "write it as YYYY-MM-DD")
        }
        return day
    }

    /// `config.json:3:11: server.url`
    var subject: String { Self.subject(text.place(element.offset), path) }

    func failure(_ reason: String, advice: String) -> SyncFailure {
        .configuration(subject, reason, advice: advice)
    }

    /// The node at the way `key` below this one; `nil` where there is none.
    func descendant(_ key: String) -> ConfigurationNode? {
        if key == path { return self }
        let children: [ConfigurationNode] =
            switch element.content {
            case .object(let members): members.map(node)
            case .array: (try? elements()) ?? []
            default: []
            }
        return children.lazy.compactMap { $0.descendant(key) }.first
    }

    private func node(of member: JSONElement.Member) -> ConfigurationNode {
        ConfigurationNode(
            text: text, path: path.isEmpty ? member.name : "\(path).\(member.name)", element: member.value)
    }

    private func failure(_ reason: String, advice: String, at member: JSONElement.Member) -> SyncFailure {
        .configuration(Self.subject(text.place(member.offset), node(of: member).path), reason, advice: advice)
    }

    private static func subject(_ place: String, _ path: String) -> String {
        path.isEmpty ? place : "\(place): \(path)"
    }

    private func wrongKind(_ wanted: String) -> SyncFailure {
        failure("must be \(wanted), not \(element.kind)", advice: "see docs/configuration.md")
    }
}
