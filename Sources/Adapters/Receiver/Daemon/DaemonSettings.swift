import HealthSyncDomain

/// The address, port and TLS settings of a server.
package struct DaemonSettings: Sendable, Hashable {
    /// A certificate chain and its private key, in PEM.
    package struct TLS: Sendable, Hashable {
        package var certificate: String
        package var privateKey: String

        package init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// Host name or numeric address.
    package var host: String
    /// 0 for any free port.
    package var port: UInt16
    /// The socket to listen on instead of `host` and `port`, which then state its address; `nil` to open one.
    package var socket: ServiceSocket?
    /// `nil` for plain HTTP.
    package var tls: TLS?
    /// Whether a proxy forwards the requests and states the client's address.
    package var isBehindProxy: Bool
    /// The addresses of the proxy. Others cannot state the client's address.
    package var proxies = AddressRange.loopback
    /// Whether clients must have a private, link-local or loopback address. Others get 403.
    package var acceptsOnlyPrivateAddresses = false
    /// What to do if the server cannot listen on the address.
    package var bindFailureAdvice = "choose another address or port with --listen; port 0 selects a free port"

    package init(host: String = "127.0.0.1", port: UInt16 = 8000, tls: TLS? = nil, isBehindProxy: Bool = false) {
        self.host = host
        self.port = port
        self.tls = tls
        self.isBehindProxy = isBehindProxy
    }

    /// Listens on a socket that the service manager passed, if there is one.
    package mutating func use(_ socket: ServiceSocket?) {
        guard let socket else { return }
        (host, port, self.socket) = (socket.host, socket.port, socket)
    }

    /// Whether only this machine can reach the server.
    package var isLoopback: Bool { Loopback.isHost(host.containsBytes(of: ":") ? "[\(host)]" : host) }
}
