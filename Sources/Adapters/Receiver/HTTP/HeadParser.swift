import HealthSyncDomain

/// Parses the head of a request. It accepts only what every HTTP parser reads in the same way (RFC 9112): a header line is
/// a token, a colon and a value, without continuation lines.
struct HeadParser {
    /// Why a head is rejected.
    struct Failure: Error, Equatable {
        let status: Int
        let reason: String
    }

    private(set) var method = ""
    private(set) var target = ""
    private(set) var version = ""
    /// All header lines in their order, names in lower case.
    private(set) var headers: [RequestHead.Header] = []

    private static let largestCount = 128

    /// Parses `bytes`, a head that `HeadScanner` found complete.
    init(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        // Without the empty line at the end; an empty line may precede the request line.
        var lines = bytes.dropLast(2)
        if lines.first == 0x0D { lines = lines.dropFirst(2) }
        try readRequestLine(Self.nextLine(&lines))
        while !lines.isEmpty {
            guard let header = Self.header(Self.nextLine(&lines)) else {
                throw Failure(status: 400, reason: "a header line is not a name, a colon and a value")
            }
            guard headers.count < Self.largestCount else {
                throw Failure(status: 431, reason: "a request has at most \(Self.largestCount) header lines")
            }
            headers.append(header)
        }
    }

    private mutating func readRequestLine(_ line: ArraySlice<UInt8>) throws(Failure) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, Self.isToken(parts[0]), !parts[1].isEmpty,
            parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw Failure(status: 400, reason: "the request line is not a method, a target and a version") }
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            let isHTTP = parts[2].count == 8 && version.hasBytePrefix("HTTP/")
            throw Failure(status: isHTTP ? 505 : 400, reason: "the version is not HTTP/1.1 or HTTP/1.0")
        }
    }

    /// Removes the first line, without its end.
    private static func nextLine(_ lines: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = lines.firstIndex(of: 0x0D) ?? lines.endIndex
        defer { lines = lines[end...].dropFirst(2) }
        return lines[..<end]
    }

    /// Returns the header in a line of a head or trailer, or `nil` if the line is invalid.
    static func header(_ line: ArraySlice<UInt8>) -> RequestHead.Header? {
        guard let colon = line.firstIndex(of: 0x3A), isToken(line[..<colon]) else { return nil }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value = value.dropFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value = value.dropLast() }
        guard value.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else { return nil }
        return RequestHead.Header(lowerCase(line[..<colon]), String(decoding: value, as: UTF8.self))
    }

    private static func lowerCase(_ name: ArraySlice<UInt8>) -> String {
        String(decoding: name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns whether `bytes` are a token (RFC 9110, section 5.6.2).
    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                // !#$%&'*+-.^_`|~
                case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
                default: false
                }
            }
    }
}
