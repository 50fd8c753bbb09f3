import HealthSyncDomain

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
        guard !authority.isEmpty, authority.utf8.allSatisfy(Self.isAllowed) else { return nil }
        path = rest[end...].hasBytePrefix("/") ? String(rest[end...]) : "/" + rest[end...]
    }

    /// Letters, digits and the marks of names, addresses and ports. A user name is not allowed.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~:[]".utf8.contains(byte)
        }
    }
}
