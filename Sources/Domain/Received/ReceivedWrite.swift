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
