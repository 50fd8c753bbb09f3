/// What happened to one item of an answered request.
package enum ItemVerdict: Sendable, Hashable {
    /// Stored by the server (created, updated or already there).
    case delivered
    /// Refused for good.
    case rejected(reason: String)
    /// To be sent again.
    case retry
    /// What happened to each sample of an item that stands for samples; some may have been refused or wait again.
    case samples(SampleVerdicts)
}

/// What an answer, or the lack of one, means for a batch. The table is in docs/delivery.md.
package enum ResponseVerdict: Sendable, Hashable {
    /// A verdict for each item, parallel to the batch's items, and the status they came with.
    case items([ItemVerdict], status: Int = 200)
    /// The server may or may not have it: the same batch again.
    case unknown(reason: String)
    /// Server or network trouble: the same batch again, not before `retryAfter` if given.
    case retryBatch(reason: String, status: Int?, retryAfter: Instant?)
    /// A split into two batches finds the item at fault; a batch of one is dead.
    case bisect(reason: String, status: Int)
    /// Too large: halve, and remember the limit.
    case tooLarge
    /// The destination cannot take anything until the user acts.
    case pause(reason: String, status: Int?)
    /// The destination is gone for good.
    case disable(reason: String)
}

extension ResponseVerdict {
    /// What kept the server from doing what it was asked; `nil` where it did.
    package var trouble: String? {
        switch self {
        case .items: nil
        case .unknown(let reason), .retryBatch(let reason, _, _), .bisect(let reason, _), .pause(let reason, _),
            .disable(let reason):
            reason
        case .tooLarge: "the server takes no such large request (413)"
        }
    }
}
