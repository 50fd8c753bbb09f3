/// Compares derived records of the local store with those of a server.
package struct RecordComparison: Sendable {
    private var missing: [String: RecordEntry] = [:]
    private var surplus: [String: RecordEntry] = [:]
    private var changed: [RecordDifference] = []

    package init() {}

    /// Compares two lists. An entry of one list may be in a later list of the other side if its day differs.
    package mutating func compare(local: [RecordEntry], server: [RecordEntry]) {
        var open: [String: RecordEntry] = [:]
        for entry in server { open[entry.id] = entry }
        for entry in local {
            if let other = open.removeValue(forKey: entry.id) ?? surplus.removeValue(forKey: entry.id) {
                note(entry, other)
            } else {
                missing[entry.id] = entry
            }
        }
        for entry in open.values {
            if let own = missing.removeValue(forKey: entry.id) {
                note(own, entry)
            } else {
                surplus[entry.id] = entry
            }
        }
    }

    private mutating func note(_ own: RecordEntry, _ other: RecordEntry) {
        guard own != other else { return }
        changed.append(RecordDifference(kind: .changed, id: own.id, day: own.day, revision: other.revision))
    }

    /// Returns the differences, ordered by day and id.
    ///
    /// - Parameters:
    ///   - removed: The local tombstones, with revisions.
    ///   - tombstones: The server's tombstones, with revisions; `nil` if they equal `removed` or were not requested.
    package func differences(removed: [String: Int], tombstones: [String: Int]?) -> [RecordDifference] {
        var found = changed
        for entry in missing.values {
            found.append(
                RecordDifference(kind: .missing, id: entry.id, day: entry.day, revision: tombstones?[entry.id] ?? 0))
        }
        for entry in surplus.values {
            var difference = RecordDifference(kind: .surplus, id: entry.id, day: entry.day, revision: entry.revision)
            difference.isKnownDeletion = removed[entry.id] != nil
            found.append(difference)
        }
        if let tombstones {
            for (id, revision) in removed where surplus[id] == nil && tombstones[id] ?? -1 < revision {
                found.append(RecordDifference(kind: .undeleted, id: id, day: nil, revision: tombstones[id] ?? 0))
            }
        }
        return found.sorted { ($0.day?.ordinal ?? .max, $0.id) < ($1.day?.ordinal ?? .max, $1.id) }
    }
}

/// A difference between the local store and a server in one derived record.
package struct RecordDifference: Hashable, Sendable {
    /// The kind of a difference.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Stored locally, but not on the server.
        case missing
        /// Stored on the server, but not locally.
        case surplus
        /// Stored on both sides with different revisions or values.
        case changed
        /// Deleted locally, but the server has no tombstone or one with a lower revision.
        case undeleted
    }

    package var kind: Kind
    package var id: String
    /// The day under which the record is listed; `nil` for a tombstone.
    package var day: CalendarDay?
    /// The revision of the record or tombstone on the server; 0 if unknown.
    package var revision: Int
    /// Whether a local tombstone of the record exists.
    package var isKnownDeletion = false

    package init(kind: Kind, id: String, day: CalendarDay?, revision: Int = 0) {
        self.kind = kind
        self.id = id
        self.day = day
        self.revision = revision
    }
}
