import Foundation
import HealthSyncDomain

/// The numeric address of a client or a proxy. An IPv4-mapped IPv6 address is the same as the IPv4 address.
package struct ClientAddress: Hashable, Sendable {
    /// 4 or 16 bytes.
    let bytes: [UInt8]

    /// Parses an address, an IPv6 address also with the name of an interface (`fe80::1%eth0`).
    package init?(_ text: some StringProtocol) {
        let parts = Substring(text).parts(separatedBy: "%", maxSplits: 1)
        if let four = Self.parse(parts[0], family: AF_INET, count: 4), parts.count == 1 {
            bytes = four
        } else if let all = Self.parse(parts[0], family: AF_INET6, count: 16),
            parts.count == 1 || Self.isInterface(parts[1])
        {
            let isMapped = all.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            bytes = isMapped ? Array(all[12...]) : all
        } else {
            return nil
        }
    }

    /// The address of a client. A trusted proxy appends it to the addresses that the client sent, so the last one counts;
    /// `nil` if that is not an address. From other peers the header is ignored.
    ///
    /// - Parameters:
    ///   - forwarded: the last header `X-Forwarded-For`; `nil` if the request has none.
    ///   - proxies: the trusted proxies.
    init?(peer: ClientAddress, forwarded: String?, trusting proxies: [AddressRange]) {
        guard proxies.contains(where: { $0.contains(peer) }), let last = forwarded?.parts(separatedBy: ",").last else {
            self = peer
            return
        }
        self.init(forwarded: last)
    }

    /// Parses an element of `X-Forwarded-For`: an address, an IPv6 address also in brackets, or either with a port, as
    /// some proxies forward it: `192.0.2.1:4711`, `[2001:db8::1]`, `[2001:db8::1]:4711`. Returns `nil` for anything else.
    init?(forwarded element: Substring) {
        let text = element.withoutOuterBlanks
        if let rest = text.removingBytePrefix("[") {
            let parts = rest.parts(separatedBy: "]", maxSplits: 1)
            guard parts.count == 2, parts[1].isEmpty || Self.isPort(parts[1]), parts[0].containsBytes(of: ":") else {
                return nil
            }
            self.init(parts[0])
        } else if let colon = text.utf8.firstIndex(of: 0x3A), text[..<colon].containsBytes(of: ".") {
            guard Self.isPort(text[colon...]) else { return nil }
            self.init(text[..<colon])
        } else {
            self.init(text)
        }
    }

    private static let longestPort = 5

    /// Returns whether `text` is a colon and the number of a port.
    private static func isPort(_ text: Substring) -> Bool {
        guard let digits = text.removingBytePrefix(":"), (1...longestPort).contains(digits.utf8.count) else {
            return false
        }
        return digits.unsignedDecimal.map { $0 <= UInt16.max } ?? false
    }

    /// Returns whether `text` may be the name of an interface: letters, digits and the marks of RFC 6874.
    private static func isInterface(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
                default: false
                }
            }
    }

    private static func parse(_ text: Substring, family: Int32, count: Int) -> [UInt8]? {
        // A zero byte would end the text for inet_pton.
        guard text.utf8.allSatisfy({ HexDigits.value($0) != nil || $0 == 0x2E || $0 == 0x3A }) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let text = String(text)
        return unsafe bytes.withUnsafeMutableBytes { unsafe inet_pton(family, text, $0.baseAddress) } == 1 ? bytes : nil
    }

    /// The address in its usual form.
    package var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        return unsafe bytes.withUnsafeBytes { bytes in
            let room = socklen_t(text.count)
            guard let written = unsafe inet_ntop(family, bytes.baseAddress, &text, room) else { return "" }
            return unsafe String(cString: written)
        }
    }

    /// The key under which limits count the address: an IPv4 address itself, and the first 64 bits of an IPv6 address,
    /// because one client usually has all addresses with the same 64 bits.
    package var network: String {
        bytes.count == 4 ? text : "\(HexDigits.text(Array(bytes.prefix(8))))/64"
    }

    /// Returns the key under which limits count `address`; any other text is its own key.
    static func network(of address: String) -> String {
        // The text of an IPv4 address is its key.
        guard address.containsBytes(of: ":") else { return address }
        return ClientAddress(address)?.network ?? address
    }

    /// Whether the address is private: of RFC 1918 or RFC 4193, link-local or loopback.
    var isPrivate: Bool {
        guard bytes.count == 4 else {
            let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
            return isLoopback || bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
        }
        return switch (bytes[0], bytes[1]) {
        case (10, _), (127, _), (172, 16...31), (192, 168), (169, 254): true
        default: false
        }
    }
}

/// The addresses whose first bits are the same, such as `10.0.0.0/8`; a single address has all its bits.
package struct AddressRange: Hashable, Sendable {
    private let address: ClientAddress
    private let bits: Int

    /// Parses an address, or an address with the number of bits that count.
    package init?(_ text: some StringProtocol) {
        let sides = Substring(text).parts(separatedBy: "/", maxSplits: 1).map(\.withoutOuterBlanks)
        guard let address = ClientAddress(sides[0]) else { return nil }
        let all = address.bytes.count * 8
        guard let bits = sides.count == 2 ? sides[1].unsignedDecimal.map({ Int($0) }) : all, (0...all).contains(bits)
        else { return nil }
        self.address = address
        self.bits = bits
    }

    /// Returns whether the range contains `other`.
    package func contains(_ other: ClientAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return zip(address.bytes, other.bytes).enumerated().allSatisfy { index, pair in
            let counted = min(8, max(0, bits - 8 * index))
            return (pair.0 ^ pair.1) & UInt8(truncatingIfNeeded: 0xFF << (8 - counted)) == 0
        }
    }

    /// The loopback addresses.
    package static let loopback: [AddressRange] = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }
}

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

/// The addresses of private networks: those of RFC 1918 and RFC 4193, link-local and loopback ones.
package enum PrivateNetwork {
    /// Whether a numeric address is private, also as an IPv4-mapped IPv6 address.
    package static func contains(_ address: String) -> Bool { ClientAddress(address)?.isPrivate ?? false }
}
