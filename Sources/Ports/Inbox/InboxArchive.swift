package import HealthSyncDomain

/// The posts that phone apps sent, each as it was received.
///
/// Contract (`InboxArchiveContract` in HealthSyncTestKit checks it): a post is in the archive, durably and whole, when
/// `commit` returns, and not at all before. Methods can be called from any task and thread, also by other processes.
/// Failures are `SyncFailure` with `.storage`; a full disk has the code `.diskFull`. An unknown id is `.noInput`.
///
/// Outcomes need not be durable: after a power failure, a decoded post may wait again. Decoding is repeatable.
package protocol InboxArchive: Sendable {
    /// Begins to archive a request. Blocks for short file operations; called on the thread of the HTTP library.
    func begin(_ head: InboxHead) throws -> any InboxPostWriter

    /// Returns the ids of up to `limit` posts that were not decoded yet, in the order in which they were received.
    func waiting(limit: Int) async throws -> [String]

    /// Returns the post with its body decompressed.
    ///
    /// - Throws: `SyncFailure` with `.noInput` if there is no such post, and with `.badInput` if the body cannot be
    ///   decompressed or is longer than the limit.
    func post(_ id: String) async throws -> InboxPost

    /// Returns the body of the post, decompressed.
    ///
    /// - Throws: as `post`; `.badInput` also if the body has more than `limit` bytes.
    func body(_ id: String, limit: Int) async throws -> [UInt8]

    /// Stores the outcome of decoding the post, which no longer waits. It is decoded if the outcome has a sender and no
    /// reason, and undecoded otherwise.
    func settle(_ id: String, as outcome: InboxOutcome) async throws

    /// Makes the post wait again, without an outcome, so that it is decoded by the next run.
    func retry(_ id: String) async throws

    /// Returns up to `limit` posts, the latest first, without their bodies. Damaged ones are among them.
    func entries(limit: Int) async throws -> [InboxEntry]

    /// Returns the post without its body.
    func entry(_ id: String) async throws -> InboxEntry

    /// Returns the number of posts in each state.
    func counts() async throws -> [InboxEntry.State: Int]

    /// Deletes the posts that do not wait and were received before `instant`. If the bodies of the rest, waiting ones
    /// included, have more than `bytes` in all, also deletes decoded posts and then undecoded ones, the oldest first,
    /// until they have not. Returns how many were deleted.
    func prune(before instant: Instant, bytes: Int64) async throws -> Int
}

/// A post that is being received.
package protocol InboxPostWriter: Sendable {
    /// Appends bytes of the body as received. Blocks for short file operations.
    func append(_ bytes: UnsafeRawBufferPointer) throws
    /// Returns the first bytes of the decompressed body, up to 64 KiB.
    func start() throws -> [UInt8]
    /// Makes the post durable and returns its id. If it throws, the post is discarded.
    func commit() async throws -> String
    /// Deletes what was received. Does nothing after `commit`.
    func discard()
}

/// What became of a post.
package struct InboxOutcome: Sendable, Hashable, Codable {
    /// The name of the app; `nil` if no decoder recognized the post.
    package var sender: String?
    /// Why nothing could be decoded, without health values; `nil` if it was decoded.
    package var reason: String?
    /// The records in the post, and how many of them were rejected.
    package var records = 0
    package var rejected = 0
    /// The ids that the post deleted.
    package var deletions = 0
    package var decodedAt: Instant

    /// Whether the samples of the post were imported.
    package var isDecoded: Bool { sender != nil && reason == nil }

    package init(sender: String?, reason: String? = nil, decodedAt: Instant) {
        self.sender = sender
        self.reason = reason
        self.decodedAt = decodedAt
    }
}

/// A post in the archive, without its body.
package struct InboxEntry: Sendable, Hashable {
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Not decoded yet.
        case waiting
        /// Its samples were imported.
        case decoded
        /// No decoder recognized it, or it could not be decoded.
        case undecoded
    }

    package var id: String
    package var head: InboxHead
    /// The size of the body as received, in bytes.
    package var bytes: Int64
    package var state: State
    package var outcome: InboxOutcome?
    /// Why the archived file cannot be read; `nil` if it can. If it cannot, `head` has only the time of receipt in the id.
    package var damage: SyncFailure?

    package init(id: String, head: InboxHead, bytes: Int64, state: State, outcome: InboxOutcome?) {
        self.id = id
        self.head = head
        self.bytes = bytes
        self.state = state
        self.outcome = outcome
    }
}
