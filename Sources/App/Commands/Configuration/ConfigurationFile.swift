package import HealthSyncDomain
package import HealthSyncPorts

/// A parsed configuration file. All its keys and the kinds of their values are valid.
package struct ConfigurationFile: Sendable {
    /// A change of time zone: from the day `from` on, the user's time zone is `zone`.
    struct ZoneChange: Sendable {
        let from: CalendarDay
        let zone: ConfigurationNode
    }

    package let path: String
    /// The values by key path.
    private let nodes: [String: ConfigurationNode]
    private let root: ConfigurationNode
    /// The stated settings of plug-ins, by metric.
    package let plugIns: [HealthMetric: HandlerSettings]

    /// Parses `bytes`, the content of the file at `path`. `handlers` are those of plug-ins, which may have settings. Throws
    /// `.configuration` with the location of the error.
    package init(
        _ bytes: [UInt8], path: String, handlers: [any HealthMetricSyncHandler] = []
    ) throws(SyncFailure) {
        let text = ConfigurationText(file: path, bytes: bytes)
        do {
            root = ConfigurationNode(text: text, path: "", element: try JSONParser.document(bytes))
        } catch {
            throw .configuration(
                text.location(of: error.offset), "invalid JSON: \(error.reason)", advice: error.advice)
        }
        nodes = try Self.nodes(in: root)
        self.path = path
        plugIns =
            try nodes[Setting.plugIns.key].map { node throws(SyncFailure) in
                try Self.plugInSettings(node, handlers)
            } ?? [:]
        for setting in Setting.all {
            if let node = nodes[setting.key] { try Self.check(node, contains: setting.values) }
        }
    }

    /// Returns the settings of plug-ins. Settings of the program have keys of their own.
    private static func plugInSettings(
        _ node: ConfigurationNode, _ handlers: [any HealthMetricSyncHandler]
    ) throws(SyncFailure) -> [HealthMetric: HandlerSettings] {
        let declared = Dictionary(
            handlers.map { ($0.metric.rawValue, $0.settings.filter { $0.programKey == nil }) },
            uniquingKeysWith: { first, _ in first }
        ).filter { !$0.value.isEmpty }
        var plugIns: [HealthMetric: HandlerSettings] = [:]
        let none = "no metric of this program has settings; use the program that contains the plug-in"
        for (metric, object) in try node.members(declared.keys.sorted(), none: none) {
            let settings = declared[metric] ?? []
            var values: [HandlerSetting: HandlerSetting.Value] = [:]
            for (name, value) in try object.members(settings.map(\.name)) {
                guard let setting = settings.first(where: { $0.name == name }) else { continue }
                values[setting] = try value.value(of: setting)
            }
            plugIns[HealthMetric(rawValue: metric)] = HandlerSettings(values)
        }
        return plugIns
    }

    /// Returns the value of a setting; `nil` if the file does not state it.
    subscript(_ setting: Setting) -> ConfigurationNode? { nodes[setting.key] }

    /// Returns the object that groups settings, such as `server`; `nil` if the file does not contain it.
    func group(_ name: String) -> ConfigurationNode? {
        guard case .object(let members) = root.element.content else { return nil }
        return members.first { $0.name == name }.map {
            ConfigurationNode(text: root.text, path: name, element: $0.value)
        }
    }

    /// The changes of the time zone.
    func zoneChanges() throws(SyncFailure) -> [ZoneChange] {
        guard let node = self[.timeZones] else { return [] }
        return try Self.zoneChanges(node)
    }

    /// Returns the values in `object` and in the objects that group settings.
    private static func nodes(in object: ConfigurationNode) throws(SyncFailure) -> [String: ConfigurationNode] {
        let prefix = object.path.isEmpty ? "" : object.path + "."
        var names: [String] = []
        for setting in Setting.all where setting.key.hasPrefix(prefix) {
            let name = String(setting.key.dropFirst(prefix.count).prefix { $0 != "." })
            if !names.contains(name) { names.append(name) }
        }
        var nodes: [String: ConfigurationNode] = [:]
        for node in try object.members(names).values {
            if Setting.all.contains(where: { $0.key == node.path }) {
                nodes[node.path] = node
            } else {
                nodes.merge(try Self.nodes(in: node)) { first, _ in first }
            }
        }
        return nodes
    }

    private static func check(_ node: ConfigurationNode, contains values: Setting.Values) throws(SyncFailure) {
        switch values {
        case .text: _ = try node.string()
        case .texts: _ = try node.strings()
        case .textsOrAll: for element in try node.elementsOrAll() { _ = try element.string() }
        case .wholeNumber(let range): _ = try node.integer(in: range)
        case .zoneChanges: _ = try zoneChanges(node)
        case .plugIns, .ignored: break
        }
    }

    private static func zoneChanges(_ node: ConfigurationNode) throws(SyncFailure) -> [ZoneChange] {
        var changes: [ZoneChange] = []
        for element in try node.elements() {
            let members = try element.members(["from", "zone"])
            guard let from = members["from"], let zone = members["zone"] else {
                throw element.failure("\"from\" or \"zone\" is missing", advice: "add both keys")
            }
            let change = ZoneChange(from: try from.day(), zone: zone)
            _ = try zone.string()
            guard !changes.contains(where: { $0.from == change.from }) else {
                throw from.failure("duplicate day \(change.from)", advice: "name one zone for each day")
            }
            changes.append(change)
        }
        return changes
    }
}

/// A configuration value with its key path, so that every error message can name its location.
struct ConfigurationNode: Sendable {
    let text: ConfigurationText
    let path: String
    let element: JSONElement

    /// Returns the members of an object. Throws for names that are not in `names`, with `none` as the remedy without names, and
    /// for duplicates.
    func members(_ names: [String], none: String = "") throws(SyncFailure) -> [String: ConfigurationNode] {
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
                    ?? (names.isEmpty ? none : "valid keys are \(names.joined(separator: ", "))"),
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

    /// Returns the value of a setting of a plug-in.
    func value(of setting: HandlerSetting) throws(SyncFailure) -> HandlerSetting.Value {
        switch setting.values {
        case .wholeNumber(let range, _): return .number(try integer(in: range))
        case .flag:
            guard case .bool(let flag) = element.content else { throw wrongKind("true or false") }
            return .flag(flag)
        case .choice(let texts, _):
            let text = try string()
            guard texts.contains(text) else {
                throw failure("\"\(text)\" is not one of its values", advice: "use \(texts.joined(separator: ", "))")
            }
            return .text(text)
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
    func stated() throws(SyncFailure) -> SettingValue {
        SettingValue(text: try string(), subject: subject, place: .file)
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

/// The text of the configuration file, used to report locations.
struct ConfigurationText: Sendable {
    let file: String
    let bytes: [UInt8]

    /// Returns the location of the byte at `offset`, such as `config.json:3:11`.
    func location(of offset: Int) -> String { "\(file):\(TextLocation(offset: offset, in: bytes))" }
}

/// A location in a text file as editors show it: line and column from 1, columns in characters.
private struct TextLocation: Sendable, Hashable, CustomStringConvertible {
    let line: Int
    let column: Int

    /// Creates the location of the byte at `offset` in a UTF-8 text. Lines end with LF, CR LF or CR.
    init(offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        var line = 1
        var lineStart = before.startIndex
        for (index, byte) in before.enumerated() {
            let endsLine = byte == 0x0A || (byte == 0x0D && bytes[(index + 1)...].first != 0x0A)
            guard endsLine else { continue }
            line += 1
            lineStart = index + 1
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = before[lineStart...].dropFirst(line == 1 && bytes.starts(with: mark) ? mark.count : 0)
        self.line = line
        column = String(decoding: text, as: UTF8.self).count + 1
    }

    /// `3:11`
    var description: String { "\(line):\(column)" }
}
