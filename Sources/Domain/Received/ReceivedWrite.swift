/// One request's records, stored as a whole or not at all.
package struct ReceivedWrite: Sendable {
    /// The records.
    package enum Content: Sendable {
        /// Raw samples of one type, such as `steps` or `heartRate`.
        case samples(type: String, ReceivedSampleBatch)
        /// Derived records of one kind.
        case records(RecordKind, [ReceivedRecord])
    }

    package var user: UserName
    /// `nil` where the client sent none.
    package var key: BatchKey?
    package var receivedAt: Instant
    package var content: Content

    package init(user: UserName, key: BatchKey? = nil, receivedAt: Instant, content: Content) {
        self.user = user
        self.key = key
        self.receivedAt = receivedAt
        self.content = content
    }
}
