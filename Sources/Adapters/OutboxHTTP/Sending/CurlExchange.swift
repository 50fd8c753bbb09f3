import HealthSyncDomain

/// One request as libcurl is asked for it.
struct CurlRequest: Sendable {
    var method: String
    var address: String
    /// Lines of the form `Name: value`.
    var fields: [String]
    /// Nothing is sent when empty.
    var body: [UInt8] = []
}

/// Bounds of one request.
struct CurlLimits: Sendable {
    var connectMilliseconds: Int
    var totalMilliseconds: Int
    /// A transfer that moves less than a byte a second for so long is cut.
    var stallSeconds = 20
    /// No more of an answer is read.
    var answerBytes = 4 << 20
    /// A PEM file of the authorities that are trusted instead of the system's; `nil` for the system's.
    var authorityFile: String?
}

/// What came of a request.
enum CurlOutcome: Sendable {
    /// The server answered; `body` is `nil` when it broke off or was longer than the limit.
    case answer(status: Int, retryAfter: String?, body: [UInt8]?)
    case failure(TransportFailure)
}
