/// Why there was no response.
package enum TransportFailure: Sendable, Hashable {
    /// DNS, connect, TLS handshake, reset or timeout: temporary.
    case network(reason: String)
    /// The server's certificate cannot be trusted.
    case certificate(reason: String)
    /// No request can be made with the address or the settings.
    case unusableAddress(reason: String)

    /// The problem, as a clause.
    package var reason: String {
        switch self {
        case .network(let reason), .certificate(let reason), .unusableAddress(let reason): reason
        }
    }
}
