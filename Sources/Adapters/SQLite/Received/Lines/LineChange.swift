import HealthSyncDomain

/// A change of a user's `steps.jsonl` that follows a commit.
enum LineChange {
    /// Lines of newly stored samples, the last of which has this position; no line where all were known.
    case append(UserName, lines: [UInt8], lastPosition: Int64)
    /// Everything was deleted; nothing up to this position is to stand there.
    case empty(UserName, lastPosition: Int64)

    /// Whose file.
    var user: UserName {
        switch self {
        case .append(let user, _, _), .empty(let user, _): user
        }
    }

    /// Whether the file is another one afterwards.
    var isVisible: Bool {
        if case .append(_, let lines, _) = self { !lines.isEmpty } else { true }
    }
}
