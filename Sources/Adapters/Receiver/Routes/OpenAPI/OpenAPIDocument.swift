import HealthSyncDomain

/// The description of the API (OpenAPI 3.1).
enum OpenAPIDocument {
    /// Returns the document for `operations`, as JSON. With `hasOpenAccess`, no operation requires a token.
    static func bytes(of operations: [Operation], version: String, hasOpenAccess: Bool) -> [UInt8] {
        var writer = JSONWriter(reserving: 16 << 10)
        writer.rawFragment(Array(#"{"openapi":"3.1.0","info":{"title":"healthsync receiving API","version":"#.utf8))
        writer.string(version)
        writer.rawFragment(Array(#"},"paths":{"#.utf8))
        let paths = Dictionary(grouping: operations, by: \.path).sorted { $0.key < $1.key }
        let texts = paths.map { path, operations in
            let methods = operations.map {
                #""\#($0.method.asciiLowercased)":\#(json(of: $0, hasOpenAccess: hasOpenAccess))"#
            }
            return #""\#(path)":{\#(methods.joined(separator: ","))}"#
        }
        writer.rawFragment(Array(texts.joined(separator: ",").utf8))
        writer.rawFragment(Array("},\"components\":{\"securitySchemes\":{\"token\":".utf8))
        writer.rawFragment(Array(#"{"type":"http","scheme":"bearer"}},"schemas":"#.utf8))
        writer.rawFragment(Array(OpenAPISchemas.json.utf8))
        writer.rawFragment(Array("}}".utf8))
        return writer.bytes
    }

    private static func json(of operation: Operation, hasOpenAccess: Bool) -> String {
        let words = operation.template.map { part in
            let letters = part.filter { $0.isLetter || $0.isNumber }
            return letters.prefix(1).uppercased() + letters.dropFirst()
        }
        let identifier = operation.method.asciiLowercased + words.joined()
        let security = hasOpenAccess || operation.requirement == .noToken ? "[]" : #"[{"token":[]}]"#
        return #"{"operationId":"\#(identifier)","security":\#(security),\#(operation.description.members)}"#
    }
}
