import Foundation

/// JSON texts with the members of every object in another order.
enum ReorderedJSON {
    /// Returns `body` with the members of every object sorted by name, or in the opposite order; `nil` if it contains no
    /// JSON. A body that is not one JSON value is taken line by line.
    static func body(_ body: [UInt8], descending: Bool) -> [UInt8]? {
        if let whole = value(body[...]) { return Array(text(whole, descending).utf8) }
        let lines = body.split(separator: 0x0A).map { line in
            value(line).map { Array(text($0, descending).utf8) } ?? Array(line)
        }
        let joined = Array(lines.joined(separator: [0x0A]))
        return lines.contains { $0.first == 0x7B } ? joined : nil
    }

    private static func value(_ bytes: ArraySlice<UInt8>) -> Any? {
        let value = try? JSONSerialization.jsonObject(with: Data(bytes))
        return value is [String: Any] || value is [Any] ? value : nil
    }

    private static func text(_ value: Any, _ descending: Bool) -> String {
        switch value {
        case let object as [String: Any]:
            let names = object.keys.sorted { descending ? $0 > $1 : $0 < $1 }
            return "{"
                + names.map { "\(scalar($0)):\(text(object[$0] ?? NSNull(), descending))" }.joined(separator: ",")
                + "}"
        case let array as [Any]: return "[" + array.map { text($0, descending) }.joined(separator: ",") + "]"
        default: return scalar(value)
        }
    }

    private static func scalar(_ value: Any) -> String {
        let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed])
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
