import HealthSyncDomain

/// A value in a JSON text whose structure was checked with `JSONCursor.requireWhole`. Only what is asked for is decoded.
struct JSONNode {
    let bytes: [UInt8]
    let range: Range<Int>

    /// The value of a whole text, after a byte order mark; `nil` if it is not one valid value.
    init?(_ bytes: [UInt8]) {
        self.init(checking: bytes, in: (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)..<bytes.count)
    }

    /// The value of the text in `range`; `nil` if it is not one valid value.
    init?(checking bytes: [UInt8], in range: Range<Int>) {
        do throws(JSONCursor.Broken) {
            try JSONCursor.requireWhole(bytes, in: range)
            var cursor = JSONCursor(bytes, at: range.lowerBound)
            self.range = try cursor.skipValue()
            self.bytes = bytes
        } catch {
            return nil
        }
    }

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// The string; `nil` for another value and for text that is not UTF-8.
    var text: String? {
        guard first == 0x22 else { return nil }
        return JSONCursor(bytes).text(range)
    }

    /// The finite number; `nil` for another value.
    var number: Double? {
        guard range.count <= 64, first == 0x2D || (0x30...0x39).contains(first),
            bytes[range].allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }),
            let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    /// The number of decimals in the text of a number, negative for `1e3`.
    var decimals: Int? { DecimalPlaces.decimals(inText: bytes[range]) }

    var isTrue: Bool { bytes[range].elementsEqual("true".utf8) }
    fileprivate var isNull: Bool { bytes[range].elementsEqual("null".utf8) }
    var isObject: Bool { first == 0x7B }
    var isArray: Bool { first == 0x5B }

    /// The members; `nil` for another value, and for an object with more members than any sender uses.
    var object: JSONObject? { isObject ? JSONObject(self) : nil }

    /// Calls `body` with each element of an array, or with the value itself if it is not an array.
    func forEachElement(_ body: (JSONNode) throws -> Void) rethrows {
        guard isArray else { return try body(self) }
        var cursor = JSONCursor(bytes, at: range.lowerBound)
        var element = next(in: &cursor, isFirst: true)
        while let found = element {
            try body(found)
            element = next(in: &cursor, isFirst: false)
        }
    }

    /// The first element of an array.
    var firstElement: JSONNode? {
        guard isArray else { return nil }
        var cursor = JSONCursor(bytes, at: range.lowerBound)
        return next(in: &cursor, isFirst: true)
    }

    private func next(in cursor: inout JSONCursor, isFirst: Bool) -> JSONNode? {
        do throws(JSONCursor.Broken) {
            if isFirst, try !cursor.enterArray() { return nil }
            guard try cursor.nextElement(first: isFirst) else { return nil }
            return JSONNode(bytes, try cursor.skipValue())
        } catch {
            return nil
        }
    }

    private var first: UInt8 { range.isEmpty ? 0 : bytes[range.lowerBound] }
}

/// The members of a JSON object. Of several members with one name the last counts; a member that is `null` is missing.
struct JSONObject {
    private static let mostMembers = 4096

    let node: JSONNode
    private var ranges: [ExactText: Range<Int>] = [:]
    /// The names in the order of the text.
    private(set) var names: [String] = []

    fileprivate init?(_ node: JSONNode) {
        self.node = node
        var cursor = JSONCursor(node.bytes, at: node.range.lowerBound)
        do throws(JSONCursor.Broken) {
            guard try cursor.enterObject() else { return nil }
            while let name = try cursor.nextMember(first: names.isEmpty) {
                let range = try cursor.skipValue()
                guard names.count < Self.mostMembers else { return nil }
                names.append(name)
                ranges[ExactText(name)] = range
            }
        } catch {
            return nil
        }
    }

    subscript(_ name: String) -> JSONNode? {
        guard let range = ranges[ExactText(name)] else { return nil }
        let value = JSONNode(node.bytes, range)
        return value.isNull ? nil : value
    }

    /// Returns the value of the first member of `names` that is not missing.
    func first(_ names: [String]) -> JSONNode? { names.lazy.compactMap { self[$0] }.first }

    /// Returns the value at a path of member names.
    func value(at path: [String]) -> JSONNode? {
        guard let name = path.first, let value = self[name] else { return nil }
        return path.count == 1 ? value : value.object?.value(at: Array(path.dropFirst()))
    }

    func text(_ name: String) -> String? { self[name]?.text }
    func number(_ name: String) -> Double? { self[name]?.number }
}
