import HealthSyncPorts

/// Forms as browsers send them: `application/x-www-form-urlencoded`.
enum FormBody {
    /// Bytes that a form may have.
    static let largest = 64 << 10

    /// Fields in their order; `nil` where the body is too long or wrongly encoded.
    static func fields(_ body: [UInt8]) -> [WebField]? {
        guard body.count <= largest, let text = String(validating: body, as: UTF8.self) else { return nil }
        var fields: [WebField] = []
        for pair in text.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = RequestTarget.decoded(sides[0], plusIsSpace: true),
                let value = sides.count == 2 ? RequestTarget.decoded(sides[1], plusIsSpace: true) : ""
            else { return nil }
            fields.append(WebField(name, value))
        }
        return fields
    }
}
