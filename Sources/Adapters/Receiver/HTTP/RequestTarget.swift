import HealthSyncDomain

/// Path and query of a request. They are split before percent-decoding, so an encoded slash stays within its segment.
package struct RequestTarget: Hashable, Sendable {
    /// Segments of the path; empty for `/`.
    package private(set) var path: [String]
    /// The parameters of the query.
    package let query: QueryParameters

    /// Parses an origin-form target. Returns `nil` if it does not start with a slash or its encoding is invalid.
    package init?(_ target: String) {
        guard let rest = target.removingBytePrefix("/") else { return nil }
        let parts = rest.parts(separatedBy: "?", maxSplits: 1)
        var segments: [String] = []
        for segment in parts[0].parts(separatedBy: "/") {
            guard let text = Self.decoded(segment, plusIsSpace: false) else { return nil }
            segments.append(text)
        }
        path = segments == [""] ? [] : segments
        var query = QueryParameters()
        for pair in parts.dropFirst().first?.parts(separatedBy: "&") ?? [] where !pair.isEmpty {
            let sides = pair.parts(separatedBy: "=", maxSplits: 1)
            guard let name = Self.decoded(sides[0], plusIsSpace: true),
                let value = sides.count == 2 ? Self.decoded(sides[1], plusIsSpace: false) : ""
            else { return nil }
            query[name] = value
        }
        self.query = query
    }

    /// Removes the token of a path `/device/TOKEN/…`, and returns it.
    mutating func removeToken() -> String? {
        guard path.first == "device", path.count > 1 else { return nil }
        defer { path.removeFirst(2) }
        return path[1]
    }

    /// Returns the target without the first segment of its path.
    func droppingFirst() -> RequestTarget {
        var target = self
        target.path = Array(path.dropFirst())
        if target.path == [""] { target.path = [] }
        return target
    }

    /// Returns percent-decoded text, or `nil` if the encoding is invalid or the result contains a zero byte or is not
    /// UTF-8.
    static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == 0x25 {
                guard let high = rest.popFirst().flatMap(HexDigits.value),
                    let low = rest.popFirst().flatMap(HexDigits.value)
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == 0x2B ? 0x20 : byte)
            }
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
