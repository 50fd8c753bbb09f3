/// A server's result for one record of a request.
package struct RecordResult: Sendable, Hashable {
    /// The values of the member `status`.
    package enum Status: String, Sendable, Hashable {
        case created, updated, duplicate, rejected, retry
    }

    /// The record's id as the server wrote it.
    package var id: String
    /// `nil` for an unknown value.
    package var status: Status?
    package var reason: String?

    package init(id: String, status: Status?, reason: String? = nil) {
        self.id = id
        self.status = status
        self.reason = reason
    }
}
