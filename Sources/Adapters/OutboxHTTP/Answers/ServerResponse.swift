/// The parts of a response that matter for delivery.
package struct ServerResponse: Sendable, Hashable {
    /// The HTTP status, 200 or more.
    package var status: Int
    /// The value of the field `Retry-After`.
    package var retryAfter: String?
    /// The results in the body, if it could be read.
    package var report: ResultReport?
    /// Whether a 409 means that the record already exists, and not that the same key is in progress.
    package var meansAlreadyExists: Bool
    /// The server's explanation of an error, of any length; `nil` if none exists.
    package var explanation: String?

    package init(
        status: Int, retryAfter: String? = nil, report: ResultReport? = nil, meansAlreadyExists: Bool = false,
        explanation: String? = nil
    ) {
        self.explanation = explanation
        self.status = status
        self.retryAfter = retryAfter
        self.report = report
        self.meansAlreadyExists = meansAlreadyExists
    }
}
