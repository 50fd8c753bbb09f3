import HealthSyncDomain

/// Loopback addresses and host names.
enum Loopback {
    /// Returns whether a numeric address is a loopback address.
    static func contains(_ address: String) -> Bool { address.hasSameBytes(as: "::1") || address.hasBytePrefix("127.") }

    /// Returns whether the value of a `Host` header is `localhost`, `[::1]` or an address such as `127.0.0.1` or `127.1`,
    /// with or without a port.
    static func isHost(_ host: some StringProtocol) -> Bool {
        let host = Substring(host)
        if let port = host.removingBytePrefix("[::1]") { return port.isEmpty || Authority.isPort(port) }
        let end = host.utf8.firstIndex(of: 0x3A) ?? host.endIndex
        let name = host[..<end]
        guard end == host.endIndex || Authority.isPort(host[end...]) else { return false }
        return name.equalsIgnoringASCIICase("localhost")
            || (name.hasBytePrefix("127.") && name.utf8.allSatisfy { $0 == 0x2E || isDigit($0) })
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
