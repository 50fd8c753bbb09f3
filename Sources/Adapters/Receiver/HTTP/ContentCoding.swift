import HealthSyncDomain

/// The coding of a body, as the header `Content-Encoding` states it (RFC 9110, section 8.4).
enum ContentCoding: Sendable {
    case identity, gzip, unknown

    /// - Parameter header: the value of the header; `nil` if it is missing.
    init(_ header: String?) {
        guard let header, !header.isEmpty else {
            self = .identity
            return
        }
        if header.equalsIgnoringASCIICase("identity") {
            self = .identity
        } else if ["gzip", "x-gzip"].contains(where: header.equalsIgnoringASCIICase) {
            self = .gzip
        } else {
            self = .unknown
        }
    }
}
