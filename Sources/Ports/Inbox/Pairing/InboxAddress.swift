/// The address at which phones reach an inbox: `http` or `https`, a host, and optionally a port and a path, without a slash
/// at the end.
package struct InboxAddress: Hashable, Sendable {
    /// Such as `http://192.168.1.5:8000`.
    package let text: String

    /// The port on which an inbox listens unless the user chooses another one.
    package static let usualPort: UInt16 = 8000

    /// How to write an address, for error messages.
    package static let advice = "write it as http://HOST:PORT or https://HOST"

    /// Returns `nil` if `text` is not such an address.
    package init?(_ text: String) {
        var rest = text[...]
        for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
            rest = text.dropFirst(scheme.count)
        }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        let isPlain = rest.unicodeScalars.allSatisfy {
            (0x21...0x7E).contains($0.value) && !"?#@\"<>\\".unicodeScalars.contains($0)
        }
        guard rest.startIndex > text.startIndex, let first = rest.first, first != "/", first != ":", isPlain else {
            return nil
        }
        self.text = text[..<rest.startIndex].lowercased() + rest
    }

    /// The plain address of an inbox on `host`, a name or a numeric address, and `port`.
    package init(host: String, port: UInt16) { text = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// Whether posts are received, for pages that pair phones.
package struct InboxReception: Hashable, Sendable {
    package enum State: Sendable {
        /// Phones in the private network can deliver.
        case receiving
        /// Only this machine can deliver, for example a proxy.
        case receivingLocally
        /// This process receives no posts.
        case none
    }

    /// The address at which phones reach the inbox, as far as this process knows.
    package var address: InboxAddress
    package var state: State

    package init(address: InboxAddress, state: State) {
        self.address = address
        self.state = state
    }

    /// The address that a phone can use; `nil` if only this machine reaches the inbox, for example a proxy.
    package var addressForPhones: InboxAddress? {
        let isHere = address.text.utf8.starts(with: "http://127.".utf8)
        return state == .receivingLocally || isHere ? nil : address
    }
}
