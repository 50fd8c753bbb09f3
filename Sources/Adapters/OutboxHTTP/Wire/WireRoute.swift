import HealthSyncDomain

/// Where records of a kind go.
struct WireRoute {
    let kind: RecordKind

    /// The path below the base address to which records are posted.
    var path: String {
        kind == .steps ? "/steps" : "/api/v1/" + PercentEncoding.encoded(kind.rawValue, keepsSlash: true)
    }

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
        "/api/v1/\(PercentEncoding.encoded(kind.rawValue, keepsSlash: true))/\(PercentEncoding.encoded(id))"
            + "?revision=\(revision)"
    }
}
