import HealthSyncDomain

/// Where records of a kind go.
struct WireRoute {
    let kind: RecordKind

    /// The path below the base address to which records are posted.
    var path: String { kind == .steps ? "/steps" : "/api/v1/" + Self.joined(kind.rawValue, keepingSlash: true) }

    /// The member that holds the list of records.
    var listName: String {
        switch kind {
        case .steps: "samples"
        case .sleep: "sessions"
        case .snapshots: "snapshots"
        default: kind.rawValue.hasPrefix("samples/") ? "samples" : "entries"
        }
    }

    /// The path of one record's tombstone.
    func tombstonePath(id: String, revision: Int) -> String {
        "/api/v1/\(Self.joined(kind.rawValue, keepingSlash: true))/\(Self.joined(id, keepingSlash: false))"
            + "?revision=\(revision)"
    }

    /// Percent-encodes everything but the unreserved characters of RFC 3986.
    private static func joined(_ text: String, keepingSlash: Bool) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            case 0x2F where keepingSlash: bytes.append(byte)
            default: bytes += [0x25, hex(byte >> 4), hex(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hex(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x37 + digit }
}
