/// Where and how a server listens.
package struct DaemonSettings: Sendable, Hashable {
    /// A certificate chain and its key, as PEM texts.
    package struct TLS: Sendable, Hashable {
        package var certificate: String
        package var privateKey: String

        package init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// Name or numeric address.
    package var host: String
    /// 0 for any free one.
    package var port: UInt16
    /// `nil` for plain HTTP.
    package var tls: TLS?
    /// Whether a proxy stands before the server, whose word on the client's address is taken.
    package var isBehindProxy: Bool
    /// What to do where the port is taken or the address is not this machine's.
    package var adviceWhereTaken = "choose another address or port with --listen; port 0 is any free one"

    package init(host: String = "127.0.0.1", port: UInt16 = 8000, tls: TLS? = nil, isBehindProxy: Bool = false) {
        self.host = host
        self.port = port
        self.tls = tls
        self.isBehindProxy = isBehindProxy
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { Loopback.isHost(host.contains(":") ? "[\(host)]" : host) }
}
