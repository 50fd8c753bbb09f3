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

/// The parameters of a query by name. If a name occurs more than once, the last value counts.
package struct QueryParameters: Hashable, Sendable {
    private var values: [ExactText: String] = [:]

    /// The value of the parameter `name`.
    package subscript(name: String) -> String? {
        get { values[ExactText(name)] }
        set { values[ExactText(name)] = newValue }
    }

    /// Names and values, in the order of the names.
    package var sorted: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
    }

    /// The parameters as the archive of posts has them. Of names that are canonically equivalent, the last one remains.
    package var archived: [String: String] {
        Dictionary(sorted.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
}

/// A target with the scheme and the authority of the server, as clients send to proxies. Servers accept it, too, and then
/// ignore the header `Host` (RFC 9112, section 3.2.2).
struct AbsoluteTarget: Equatable {
    /// The host, with its port if one is given.
    let authority: String
    /// Path and query.
    let path: String

    /// Returns `nil` if `target` is not an http or https URL, or if its authority is more than a host and a port.
    init?(_ target: String) {
        let parts = target.parts(separatedBy: ":", maxSplits: 1)
        guard parts.count == 2, ["http", "https"].contains(where: parts[0].equalsIgnoringASCIICase),
            let rest = parts[1].removingBytePrefix("//")
        else { return nil }
        let end = rest.utf8.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
        authority = String(rest[..<end])
        guard Authority.isValid(authority) else { return nil }
        path = rest[end...].hasBytePrefix("/") ? String(rest[end...]) : "/" + rest[end...]
    }
}

/// A host with its port if one is given, as in the header `Host` and in an absolute target (RFC 3986, section 3.2).
enum Authority {
    /// Returns whether `text` is a name of letters, digits and `-._~`, or an address, with or without a port.
    ///
    /// Stricter than RFC 3986, which allows further marks in names that no name of the DNS contains, because proxies and
    /// programs read those in several ways. A user name is not allowed (RFC 9110, section 4.2.4). An address in brackets may
    /// name its interface, as in `[fe80::1%eth0]`.
    static func isValid(_ text: some StringProtocol) -> Bool {
        let text = Substring(text)
        let end: Substring.Index
        if let rest = text.removingBytePrefix("[") {
            guard let close = rest.utf8.firstIndex(of: 0x5D), isAddress(rest[..<close]) else { return false }
            end = text.utf8.index(after: close)
        } else {
            end = text.utf8.firstIndex(of: 0x3A) ?? text.endIndex
            guard end > text.startIndex, text[..<end].utf8.allSatisfy(isNameByte) else { return false }
        }
        return text[end...].isEmpty || isPort(text[end...])
    }

    /// Returns whether `text` is a colon and a port, which may be empty (RFC 3986, section 3.2.3).
    static func isPort(_ text: Substring) -> Bool {
        text.utf8.first == 0x3A && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Returns whether `text` is what the brackets of an address may contain.
    private static func isAddress(_ text: Substring) -> Bool {
        let parts = text.parts(separatedBy: "%", maxSplits: 1)
        guard let address = parts.first, !address.isEmpty,
            address.utf8.allSatisfy({ $0 == 0x3A || isNameByte($0) })
        else { return false }
        return parts.count == 1 || (!parts[1].isEmpty && parts[1].utf8.allSatisfy(isNameByte))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }
}
