import HealthSyncDomain

/// Path and query of a request, percent-decoded after they were cut, so that an encoded slash stays within its segment.
package struct RequestTarget: Hashable, Sendable {
    /// Segments of the path; none for `/`.
    package var segments: [String]
    /// Parameters by name; of one that stands twice the last.
    package var query: [String: String]

    /// Reads an origin-form target; `nil` where it does not begin with a slash or is wrongly encoded.
    package init?(_ target: String) {
        guard target.hasPrefix("/") else { return nil }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var segments: [String] = []
        for segment in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = Self.decoded(segment, plusIsSpace: false) else { return nil }
            segments.append(text)
        }
        self.segments = segments == [""] ? [] : segments
        query = [:]
        guard parts.count == 2 else { return }
        for pair in parts[1].split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0], plusIsSpace: true),
                let value = sides.count == 2 ? Self.decoded(sides[1], plusIsSpace: false) : ""
            else { return nil }
            query[name] = value
        }
    }

    /// Percent-decoded text; `nil` where it is wrongly encoded, holds a zero byte or is no UTF-8.
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
