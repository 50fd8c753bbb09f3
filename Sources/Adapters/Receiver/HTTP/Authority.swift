import HealthSyncDomain

/// A host with its port if one is given, as in the header `Host` and in an absolute target (RFC 3986, section 3.2).
enum Authority {
    /// Returns whether `text` is a name of letters, digits and `-._~`, or an address, with or without a port.
    ///
    /// Stricter than RFC 3986, which allows further marks in names that no name of the DNS contains, because proxies and
    /// programs read those in several ways. A user name is not allowed (RFC 9110, section 4.2.4). An address in brackets may
    /// name its interface, as in `[fe80::1%eth0]`.
    static func isValid(_ text: some StringProtocol) -> Bool {
        let text = Substring(text)
        let end: Substring.Index
        if let rest = text.removingBytePrefix("[") {
            guard let close = rest.utf8.firstIndex(of: 0x5D), isAddress(rest[..<close]) else { return false }
            end = text.utf8.index(after: close)
        } else {
            end = text.utf8.firstIndex(of: 0x3A) ?? text.endIndex
            guard end > text.startIndex, text[..<end].utf8.allSatisfy(isNameByte) else { return false }
        }
        return text[end...].isEmpty || isPort(text[end...])
    }

    /// Returns whether `text` is a colon and a port, which may be empty (RFC 3986, section 3.2.3).
    static func isPort(_ text: Substring) -> Bool {
        text.utf8.first == 0x3A && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Returns whether `text` is what the brackets of an address may contain.
    private static func isAddress(_ text: Substring) -> Bool {
        let parts = text.parts(separatedBy: "%", maxSplits: 1)
        guard let address = parts.first, !address.isEmpty,
            address.utf8.allSatisfy({ $0 == 0x3A || isNameByte($0) })
        else { return false }
        return parts.count == 1 || (!parts[1].isEmpty && parts[1].utf8.allSatisfy(isNameByte))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }
}
