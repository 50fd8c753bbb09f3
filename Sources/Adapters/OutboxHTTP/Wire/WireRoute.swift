import HealthSyncDomain

/// The paths of a kind of record.
struct WireRoute {
    let kind: RecordKind

    /// The path to which records are posted, relative to the base address.
    var path: String {
        kind == .steps ? "/steps" : "/api/v1/" + PercentEncoding.encoded(kind.rawValue, keepsSlash: true)
    }

    /// The path to which deletions of several raw samples are posted, relative to the base address.
    var deletionsPath: String { "/api/v1/deletions/" + PercentEncoding.encoded(kind.rawValue, keepsSlash: true) }

    /// The name of the member that contains the list of records.
    var listName: String {
        switch kind {
        case .steps: "samples"
        case .sleep: "sessions"
        case .snapshots: "snapshots"
        default: kind.rawValue.hasBytePrefix("samples/") ? "samples" : "entries"
        }
    }

    /// Returns the path that deletes one record.
    func tombstonePath(id: String, revision: Int) -> String {
        "/api/v1/\(PercentEncoding.encoded(kind.rawValue, keepsSlash: true))/\(PercentEncoding.encoded(id))"
            + "?revision=\(revision)"
    }
}
