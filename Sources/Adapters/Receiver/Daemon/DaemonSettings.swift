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

    /// Whether only this machine can reach the server.
    package var isLoopback: Bool { Loopback.isHost(host.contains(":") ? "[\(host)]" : host) }
}
