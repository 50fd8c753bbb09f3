import HealthSyncDomain

/// The user's inbox on a server, whose posts wait until this machine has archived them.
///
/// Contract: the server deletes a post only after `confirm`. Failures are `SyncFailure`: `.serverUnavailable` if a later
/// attempt may succeed, and `.configuration` if the server rejects the token or has no inbox.
package protocol ServerInbox: Sendable {
    /// The address, for messages.
    var address: String { get }

    /// Returns the first posts that wait and whose ids follow `id`, in the order in which they were received; empty at
    /// the end.
    ///
    /// - Parameters:
    ///   - id: the last id of the previous page; `nil` for the first page.
    ///   - waitSeconds: how long the server waits for a post if none waits.
    func posts(after id: String?, waitSeconds: Int) async throws -> [WaitingPost]

    /// Fetches the archived form of a post and appends it to `writer` in pieces. Returns `false` if the post no longer
    /// exists.
    ///
    /// - Throws: what `writer` throws, too; `CancellationError` if the calling task is cancelled.
    func fetch(_ post: WaitingPost, into writer: any PulledPostWriter) async throws -> Bool

    /// Lets the server delete these posts. Posts that no longer exist are ignored.
    func confirm(_ ids: [String]) async throws
}

/// A post that waits on a server.
package struct WaitingPost: Sendable, Hashable {
    /// Identifies the post among the posts of all archives.
    package var id: String
    /// The size of its archived form in bytes, as the server states it; limits the time for fetching it.
    package var bytes: Int64

    package init(id: String, bytes: Int64) {
        self.id = id
        self.bytes = bytes
    }
}

/// Archives the posts that this machine pulls from a server, each of them once.
///
/// Contract: a post is in the archive, durably and whole, when `commit` returns, and not at all before. From then on
/// until `confirmed`, it is not deleted, whatever its age. Failures are `SyncFailure` with `.storage` or `.diskFull`.
package protocol PulledPostArchive: Sendable {
    /// Begins to archive the post that has this id on the server. Returns `nil` if it is archived already.
    ///
    /// - Throws: `SyncFailure` with `.busy` if another process is archiving the post, and with `.badInput` if the id is
    ///   not valid.
    func begin(pulling id: String) throws -> (any PulledPostWriter)?
    /// Returns the ids of the archived posts that the server may not have deleted yet, in any order.
    func unconfirmed() async throws -> [String]
    /// Notes that the server has deleted these posts.
    func confirmed(_ ids: [String]) async throws
}

/// A post that is being pulled, in its archived form.
package protocol PulledPostWriter: Sendable {
    /// Appends bytes of the archived form. Blocks for short file operations.
    ///
    /// - Throws: `SyncFailure` with `.badInput` if the post is larger than the largest post.
    func append(_ bytes: UnsafeRawBufferPointer) throws
    /// Makes the post durable and returns the size of its archived form, in bytes. If it throws, the post is discarded.
    ///
    /// - Throws: `SyncFailure` with `.badInput` if the bytes are not the archived form of a post.
    @discardableResult func commit() async throws -> Int64
    /// Deletes what was received. Does nothing after `commit`.
    func discard()
}
