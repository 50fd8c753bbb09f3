import HealthSyncDomain

/// Percent-encoding of parameters (RFC 3986).
enum PercentEncoding {
    /// Returns `text` with every byte encoded that is not unreserved.
    static func component(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: encoded.append(byte)
            default: encoded += Array("%\(HexDigits.text([byte]).uppercased())".utf8)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
