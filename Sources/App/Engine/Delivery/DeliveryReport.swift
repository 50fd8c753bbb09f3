package import HealthSyncDomain

/// What a delivery came to.
package struct DeliveryReport: Sendable, Hashable {
    /// Why it ended.
    package enum Ending: Sendable, Hashable {
        /// Nothing more could be sent.
        case finished
        /// The run's deadline passed.
        case deadline
        /// The next attempt is due only after the deadline.
        case waiting(until: Instant)
        /// The destination takes nothing until the user acts; the text says what to do.
        case paused(reason: String)
        /// The server said that it is gone for good.
        case disabled(reason: String)
        /// Nothing waits, and the server does not answer or refuses to.
        case unreachable(reason: String)
        /// Nothing waits because nothing was ever offered to this server, though there are records.
        case neverOffered
        /// The user holds deliveries until `healthsync resume`.
        case held
        /// The user stopped it; requests in flight were finished.
        case cancelled
    }

    /// The server's base address.
    package var destination: String
    /// Items that the server has taken.
    package var delivered = 0
    /// Items refused for good: they are kept as dead letters.
    package var dead = 0
    /// Items that still wait, those of `unsupportedKinds` among them.
    package var left = 0
    /// Requests answered or given up.
    package var requests = 0
    /// Raw samples that the server answered for, those of items sent again among them.
    package var samples = SampleCounts()
    /// Items of `delivered` that stood for samples.
    package var slices = 0
    /// Kinds that wait and that this server does not take.
    package var unsupportedKinds: Set<RecordKind> = []
    /// Deletions that this server does not take; they are among the dead letters.
    package var unsupportedDeletions = 0
    package var ending = Ending.finished
    /// Why the last request that was not answered failed; `nil` once one was answered.
    package var trouble: String?

    package init(destination: String) { self.destination = destination }

    /// What to tell the user when something waits or was refused; `nil` when all is delivered, or is a deletion that the
    /// server has no way to take.
    package var failure: SyncFailure? {
        switch ending {
        case .finished:
            if dead > unsupportedDeletions {
                failure(
                    (dead == 1 ? "1 item was" : "\(dead) items were") + " refused by the server",
                    "see `healthsync outbox list`")
            } else if left > 0 {
                failure("\(waiting) that this server does not take", "deliver to a healthsync server")
            } else {
                nil
            }
        case .deadline: failure("\(cause)time is up, \(waiting)", "run `healthsync push` to send the rest")
        case .waiting(let until):
            failure(
                "\(cause)\(waiting), the next attempt is due at \(RFC3339.string(until))",
                "run `healthsync push` later")
        case .paused(let reason): failure("paused, \(waiting): \(reason)", "then run `healthsync push`")
        case .disabled(let reason):
            failure("stopped, \(waiting): \(reason)", "give another --server, or run `healthsync push`")
        case .unreachable(let reason):
            SyncFailure(
                .serverUnavailable, subject: destination, reason: "\(reason); nothing waits for it",
                advice: "check the address, the token and the network")
        case .neverOffered:
            failure("nothing was ever offered to this server", "run `healthsync historical` to send every record")
        case .held: failure("held by you, \(waiting)", "run `healthsync resume` to go on")
        case .cancelled: failure("stopped, \(waiting)", "run `healthsync push` to send the rest")
        }
    }

    /// What keeps the server from answering, before what follows from it.
    private var cause: String { trouble.map { "\($0); " } ?? "" }

    private var waiting: String { left == 1 ? "1 item waits" : "\(left) items wait" }

    private func failure(_ reason: String, _ advice: String) -> SyncFailure {
        SyncFailure(.deliveryIncomplete, subject: destination, reason: reason, advice: advice)
    }
}
