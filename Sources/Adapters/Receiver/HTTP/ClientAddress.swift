import Foundation
import HealthSyncDomain

/// The numeric address of a client or a proxy. An IPv4-mapped IPv6 address is the same as the IPv4 address.
package struct ClientAddress: Hashable, Sendable {
    /// 4 or 16 bytes.
    let bytes: [UInt8]

    /// Parses an address, also with the name of an interface (`fe80::1%eth0`), in brackets, or with a port, as some
    /// proxies forward it.
    package init?(_ text: some StringProtocol) {
        var text = text.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("[") {
            text = String(text.dropFirst().prefix { $0 != "]" })
        } else if text.contains("."), text.count(where: { $0 == ":" }) == 1 {
            text = String(text.prefix { $0 != ":" })
        }
        text = String(text.prefix { $0 != "%" })
        if let four = Self.parse(text, family: AF_INET, count: 4) {
            bytes = four
        } else if let all = Self.parse(text, family: AF_INET6, count: 16) {
            let isMapped = all.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            bytes = isMapped ? Array(all[12...]) : all
        } else {
            return nil
        }
    }

    private static func parse(_ text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
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
        guard address.contains(":") else { return address }
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
        let sides = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = sides.first, let address = ClientAddress(first) else { return nil }
        let all = address.bytes.count * 8
        guard let bits = sides.count == 2 ? Int(sides[1]) : all, (0...all).contains(bits) else { return nil }
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
