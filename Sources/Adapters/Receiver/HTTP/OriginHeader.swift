import HealthSyncDomain

/// The header `Origin` (RFC 6454): a scheme, `://`, and a host with a port if it is not that of the scheme.
enum OriginHeader {
    /// Returns whether the origin is this machine.
    static func isLoopback(_ origin: String) -> Bool {
        let parts = origin.parts(separatedBy: ":", maxSplits: 1)
        return parts.count == 2 && parts[1].removingBytePrefix("//").map { Loopback.isHost($0) } == true
    }

    /// Returns whether the origin is a page of `host`, the value of a header `Host`.
    static func isPage(_ origin: String, of host: String) -> Bool {
        ["https://\(host)", "http://\(host)"].contains(where: origin.equalsIgnoringASCIICase)
    }
}
