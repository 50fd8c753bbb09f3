import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// Listing and deleting posts.
extension FileInboxArchive {
    package func entries(limit: Int) async throws -> [InboxEntry] {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            var ids = SmallestNames(limit: limit, largest: true)
            for state in InboxEntry.State.allCases {
                try forEachID(in: state) { ids.add($0) }
            }
            return ids.sorted().compactMap { id in (try? located(id)).flatMap { entry(id, $0) } }
        }
    }

    package func entry(_ id: String) async throws -> InboxEntry {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            guard let entry = entry(id, try located(id)) else { throw Self.unknown(id) }
            return entry
        }
    }

    /// Returns the entry of a post; `nil` if it was moved or deleted meanwhile.
    private func entry(_ id: String, _ place: (state: InboxEntry.State, path: String)) -> InboxEntry? {
        let outcome = outcome(of: id, place.state)
        do {
            guard let file = try ArchivedBody(place.path, id: id) else { return nil }
            return InboxEntry(id: id, head: file.head, bytes: file.bytes, state: place.state, outcome: outcome)
        } catch {
            let received = PostIDs.instant(id) ?? Instant(milliseconds: 0)
            var entry = InboxEntry(
                id: id, head: InboxHead(method: "", path: [], device: "", receivedAt: received),
                bytes: ArchiveFiles.size(place.path), state: place.state, outcome: outcome)
            entry.damage = (error as? SyncFailure) ?? ArchiveFiles.failure(place.path, EIO)
            return entry
        }
    }

    package func counts() async throws -> [InboxEntry.State: Int] {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            var counts: [InboxEntry.State: Int] = [:]
            for state in InboxEntry.State.allCases {
                counts[state] = 0
                try forEachID(in: state) { _ in counts[state, default: 0] += 1 }
            }
            return counts
        }
    }

    package func prune(before instant: Instant, bytes: Int64) async throws -> Int {
        try await BlockingWork.run("healthsync.inbox") { [self] flag in
            var deleted = 0
            var total: Int64 = 0
            // A server may offer them again. Without the post, it would be imported again.
            let unconfirmed = try unconfirmedNames()
            var kept: [InboxEntry.State: [(id: String, bytes: Int64)]] = [:]
            for state in InboxEntry.State.allCases {
                var ids: [String] = []
                try forEachID(in: state) { ids.append($0) }
                for id in ids.sorted() where !unconfirmed.contains(id) {
                    if state != .waiting, let received = PostIDs.instant(id), received < instant {
                        try delete(id, state)
                        deleted += 1
                    } else {
                        let size = ArchiveFiles.size(path(of: id, state))
                        total += size
                        kept[state, default: []].append((id, size))
                    }
                }
            }
            for state in [InboxEntry.State.decoded, .undecoded] {
                for post in kept[state, default: []] where total > bytes {
                    try flag.check()
                    try delete(post.id, state)
                    total -= post.bytes
                    deleted += 1
                }
            }
            return deleted
        }
    }
}

/// The smallest of many names, or the largest.
struct SmallestNames {
    private let limit: Int
    private let isBefore: (String, String) -> Bool
    private var names: [String] = []

    init(limit: Int, largest: Bool = false) {
        self.limit = max(0, limit)
        isBefore = largest ? { $0 > $1 } : { $0 < $1 }
    }

    mutating func add(_ name: String) {
        names.append(name)
        // Memory is bounded by the limit, not by the number of names.
        if names.count > 1024, names.count / 2 >= limit { names = sorted() }
    }

    /// Returns the names in order.
    func sorted() -> [String] { Array(names.sorted(by: isBefore).prefix(limit)) }
}
