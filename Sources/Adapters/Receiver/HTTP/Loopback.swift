/// Loopback addresses and host names.
enum Loopback {
    /// Returns whether a numeric address is a loopback address.
    static func contains(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }

    /// Returns whether the value of a `Host` header is a loopback name or address, with or without a port.
    static func isHost(_ host: String) -> Bool {
        let name =
            host.hasPrefix("[")
            ? String(host.dropFirst().prefix { $0 != "]" }) : String(host.prefix { $0 != ":" })
        return name.lowercased() == "localhost" || (contains(name) && name.allSatisfy { !$0.isLetter })
    }
}
