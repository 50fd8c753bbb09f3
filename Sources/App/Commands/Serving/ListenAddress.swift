import HealthSyncDomain
import HealthSyncPorts

/// The value of `--listen`: `HOST`, `HOST:PORT` or `[IPV6]:PORT`.
struct ListenAddress {
    var host = "127.0.0.1"
    var port = defaultPort

    /// The port without `--listen` and `--port`.
    static let defaultPort = InboxAddress.usualPort

    /// Whether only this machine can reach it.
    var isLoopback: Bool { ["127.0.0.1", "localhost", "::1"].contains(host) }

    init(_ parsed: ParsedCommand) throws(SyncFailure) {
        if let text = parsed.text("listen") { try read(text) }
        if let port = try parsed.integer("port", in: 0...65_535) { self.port = UInt16(port) }
    }

    /// The address `text`, the value of `option`.
    init(_ text: String, option: String) throws(SyncFailure) { try read(text, option: option) }

    private mutating func read(_ text: String, option: String = "--listen") throws(SyncFailure) {
        let wrong = SyncFailure.usage(
            option, "invalid address \"\(text)\"", advice: "write it as HOST:PORT, such as 127.0.0.1:8000")
        var rest = text[...]
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw wrong }
            host = String(text[text.index(after: text.startIndex)..<end])
            rest = text[text.index(after: end)...]
        } else {
            host = String(text.prefix { $0 != ":" })
            rest = text.dropFirst(host.count)
        }
        guard !host.isEmpty else { throw wrong }
        guard !rest.isEmpty else { return }
        guard rest.hasPrefix(":"), let number = UInt16(rest.dropFirst()) else { throw wrong }
        port = number
    }
}
