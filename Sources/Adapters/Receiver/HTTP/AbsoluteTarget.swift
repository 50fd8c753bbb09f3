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
        guard Authority.isValid(authority) else { return nil }
        path = rest[end...].hasBytePrefix("/") ? String(rest[end...]) : "/" + rest[end...]
    }
}
