/// An answer as it matters for delivery.
package struct ServerResponse: Sendable, Hashable {
    /// The HTTP status, 200 or more.
    package var status: Int
    /// The field `Retry-After` as it stands.
    package var retryAfter: String?
    /// The body, where it could be read.
    package var report: ResultReport?
    /// Whether a 409 says that the record is there already, and not that the same key is being worked on.
    package var saysAlreadyExists: Bool
    /// What the server says of an error in its own words, of any length; `nil` where it says nothing readable.
    package var explanation: String?

    package init(
        status: Int, retryAfter: String? = nil, report: ResultReport? = nil, saysAlreadyExists: Bool = false,
        explanation: String? = nil
    ) {
        self.explanation = explanation
        self.status = status
        self.retryAfter = retryAfter
        self.report = report
        self.saysAlreadyExists = saysAlreadyExists
    }
}
