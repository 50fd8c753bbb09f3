/// The records of one request. Either all of them are stored or none.
package struct ReceivedWrite: Sendable {
    /// The records of a write.
    package enum Content: Sendable {
        /// Raw samples of one type, such as `steps` or `heartRate`.
        case samples(type: String, ReceivedSampleBatch)
        /// Derived records of one kind.
        case records(RecordKind, [ReceivedRecord])
    }

    package var user: UserName
    /// `nil` if the client sent no key.
    package var key: BatchKey?
    package var receivedAt: Instant
    package var content: Content

    package init(user: UserName, key: BatchKey? = nil, receivedAt: Instant, content: Content) {
        self.user = user
        self.key = key
        self.receivedAt = receivedAt
        self.content = content
    }

    /// The number of its records.
    package var count: Int {
        switch content {
        case .samples(_, let batch): batch.samples.count
        case .records(_, let records): records.count
        }
    }
}

/// An `Idempotency-Key` and a digest of the content it was used with. The same key with other content is rejected.
package struct BatchKey: Hashable, Sendable {
    /// The header's value.
    package var key: String
    /// A digest of method, target and decompressed body.
    package var content: ContentDigest

    package init(key: String, content: ContentDigest) {
        self.key = key
        self.content = content
    }
}

/// The outcome of storing one record.
package enum StoreOutcome: String, Sendable {
    /// The record is new.
    case created
    /// The record replaced a lower revision.
    case updated
    /// Nothing changed: this revision or a higher one is already stored.
    case duplicate

    /// Returns the outcome of storing a record over a stored one. Every store follows this rule: a higher revision
    /// replaces a lower one, and an equal revision changes something only if it is a deletion.
    package static func of(
        revision: Int64, isDeleted: Bool, over stored: (revision: Int64, isDeleted: Bool)?
    ) -> StoreOutcome {
        guard let stored else { return .created }
        if revision > stored.revision { return .updated }
        return revision == stored.revision && isDeleted && !stored.isDeleted ? .updated : .duplicate
    }
}
