package import HealthSyncDomain

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

    /// Parses `bytes`, the content of the file at `path`. Throws `.configuration` with the location of the error.
    package init(_ bytes: [UInt8], path: String) throws(SyncFailure) {
        let text = ConfigurationText(file: path, bytes: bytes)
        do {
            root = ConfigurationNode(text: text, path: "", element: try JSONParser.document(bytes))
        } catch {
            throw .configuration(
                text.location(of: error.offset), "invalid JSON: \(error.reason)", advice: error.advice)
        }
        nodes = try Self.nodes(in: root)
        self.path = path
        for setting in Setting.all {
            if let node = nodes[setting.key] { try Self.check(node, contains: setting.values) }
        }
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
        case .ignored: break
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
