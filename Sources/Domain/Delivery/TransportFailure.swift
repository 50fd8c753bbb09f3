/// Why there was no answer.
package enum TransportFailure: Sendable, Hashable {
    /// DNS, connect, TLS handshake, reset, timeout: may pass by itself.
    case network(reason: String)
    /// The server's certificate cannot be trusted.
    case certificate(reason: String)
    /// The address or the settings make no request.
    case unusableAddress(reason: String)

    /// What happened, as a clause.
    package var reason: String {
        switch self {
        case .network(let reason), .certificate(let reason), .unusableAddress(let reason): reason
        }
    }
}
