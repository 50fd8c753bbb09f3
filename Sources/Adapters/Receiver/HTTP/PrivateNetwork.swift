/// The addresses of private networks: those of RFC 1918 and RFC 4193, link-local and loopback ones.
package enum PrivateNetwork {
    /// Whether a numeric address is private, also as an IPv4-mapped IPv6 address.
    package static func contains(_ address: String) -> Bool { ClientAddress(address)?.isPrivate ?? false }
}
