import Foundation

/// The addresses of private networks: those of RFC 1918 and RFC 4193, link-local and loopback ones.
package enum PrivateNetwork {
    /// Whether a numeric address is private, also as an IPv4-mapped IPv6 address.
    package static func contains(_ address: String) -> Bool {
        // fe80::1%eth0 contains the name of an interface.
        let text = String(address.prefix { $0 != "%" })
        if let bytes = bytes(of: text, family: AF_INET, count: 4) { return isPrivate(bytes) }
        guard let bytes = bytes(of: text, family: AF_INET6, count: 16) else { return false }
        if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] { return isPrivate(Array(bytes[12...])) }
        let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        return isLoopback || bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
    }

    private static func isPrivate(_ address: [UInt8]) -> Bool {
        switch (address[0], address[1]) {
        case (10, _), (127, _), (172, 16...31), (192, 168), (169, 254): true
        default: false
        }
    }

    private static func bytes(of text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe bytes.withUnsafeMutableBytes { unsafe inet_pton(family, text, $0.baseAddress) } == 1 ? bytes : nil
    }
}
