import HealthSyncDomain

/// A change of a user's `steps.jsonl` to be made after a commit.
enum LineChange {
    /// Append the lines of newly stored samples after a position, up to the position of the last; empty if all were known.
    case append(UserName, lines: [UInt8], after: Int64, lastPosition: Int64)
    /// Empty the file after a deletion of all samples up to this position.
    case empty(UserName, lastPosition: Int64)

    /// The user whose file changes.
    var user: UserName {
        switch self {
        case .append(let user, _, _, _), .empty(let user, _): user
        }
    }

    /// The last position of the samples that the file contains before the change.
    var previousPosition: Int64 {
        switch self {
        case .append(_, _, let position, _), .empty(_, let position): position
        }
    }

    /// Whether the content of the file changes.
    var isVisible: Bool {
        if case .append(_, let lines, _, _) = self { !lines.isEmpty } else { true }
    }
}
