import HealthSyncDomain

/// A value of the configuration with the way to it, so that every complaint names the place.
struct ConfigurationNode {
    let file: String
    let path: String
    let value: JSONValue

    /// The members of an object; one whose name is not among `names` is an error.
    func members(_ names: [String]) throws(SyncFailure) -> [String: ConfigurationNode] {
        guard case .object(let members) = value else { throw wrongKind("an object") }
        var nodes: [String: ConfigurationNode] = [:]
        for member in members {
            let node = ConfigurationNode(
                file: file, path: path.isEmpty ? member.name : "\(path).\(member.name)", value: member.value)
            guard names.contains(member.name) else {
                let meant = Suggestion.nearest(to: member.name, among: names)
                throw node.failure(
                    "no such key",
                    advice: meant.map { "did you mean \"\($0)\"?" } ?? "keys are \(names.joined(separator: ", "))")
            }
            nodes[member.name] = node
        }
        return nodes
    }

    /// A text that is not empty.
    func string() throws(SyncFailure) -> String {
        guard case .string(let text) = value else { throw wrongKind("text") }
        guard !text.isEmpty else { throw failure("is empty", advice: "give a value or remove the key") }
        return text
    }

    /// The elements of a list.
    func elements() throws(SyncFailure) -> [ConfigurationNode] {
        guard case .array(let elements) = value else { throw wrongKind("a list") }
        return elements.enumerated().map {
            ConfigurationNode(file: file, path: "\(path)[\($0.offset)]", value: $0.element)
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
        switch value {
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

    func failure(_ reason: String, advice: String) -> SyncFailure {
        .configuration(path.isEmpty ? file : "\(file): \(path)", reason, advice: advice)
    }

    private func wrongKind(_ wanted: String) -> SyncFailure {
        failure("must be \(wanted), not \(value.kind)", advice: "see docs/configuration.md")
    }
}
