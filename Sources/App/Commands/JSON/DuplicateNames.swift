/// Finds members that stand twice in one object, of which a JSON decoder keeps one without a word.
enum DuplicateNames {
    /// The way to the first such member, `server.url`, in `bytes`, a well-formed document; `nil` when there is none.
    static func firstPlace(in bytes: [UInt8]) -> String? {
        var levels: [Level] = []
        var position = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"): levels.append(Level(isObject: true))
            case UInt8(ascii: "["): levels.append(Level(isObject: false))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
            case UInt8(ascii: ","):
                if let last = levels.indices.last { levels[last].next() }
            case UInt8(ascii: "\""):
                let end = stringEnd(bytes, from: position)
                if let last = levels.indices.last, levels[last].awaitsName {
                    let isNew = levels[last].take(name(bytes[position...end]))
                    if !isNew { return path(levels) }
                }
                position = end
            default: break
            }
            position += 1
        }
        return nil
    }

    private struct Level {
        let isObject: Bool
        var names: Set<String> = []
        var name: String?
        var index = 0

        init(isObject: Bool) { self.isObject = isObject }

        var awaitsName: Bool { isObject && name == nil }

        mutating func next() {
            name = nil
            index += 1
        }

        /// Whether the name is the first of its kind.
        mutating func take(_ name: String) -> Bool {
            self.name = name
            return names.insert(name).inserted
        }
    }

    private static func path(_ levels: [Level]) -> String {
        levels.reduce(into: "") { path, level in
            if level.isObject {
                path += (path.isEmpty ? "" : ".") + (level.name ?? "")
            } else {
                path += "[\(level.index)]"
            }
        }
    }

    /// The position of the quotation mark that ends the text begun at `start`.
    private static func stringEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position, bytes.count - 1)
    }

    /// The text between quotation marks, escapes resolved: `"\u0061"` is `a`.
    private static func name(_ quoted: ArraySlice<UInt8>) -> String {
        guard case .success(.array(let texts)) = JSONReader.read([UInt8(ascii: "[")] + quoted + [UInt8(ascii: "]")]),
            case .string(let text) = texts.first
        else { return String(decoding: quoted, as: UTF8.self) }
        return text
    }
}
