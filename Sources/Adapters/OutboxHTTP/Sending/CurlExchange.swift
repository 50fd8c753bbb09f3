import HealthSyncDomain

/// One request, as given to libcurl.
struct CurlRequest: Sendable {
    var method: String
    var address: String
    /// Header fields of the form `Name: value`.
    var fields: [String]
    /// The request has no body if this is empty.
    var body: [UInt8] = []
}

/// Receives the body of a successful response.
protocol CurlReceiver: Sendable {
    /// Receives the next piece; returning false ends the transfer.
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool
}

/// Exchanges requests for responses. The only implementation of the program is `CurlPool`; tests have a network of their
/// own.
protocol RequestExchange: Sendable {
    /// Returns the outcome of `request`. The body of a successful response goes to `receive`, if that is given.
    func perform(
        _ request: CurlRequest, limits: CurlLimits, receive: (any CurlReceiver)?
    ) async -> CurlOutcome
}

extension RequestExchange {
    /// Returns the outcome of `request`, including the body.
    func perform(_ request: CurlRequest, limits: CurlLimits) async -> CurlOutcome {
        await perform(request, limits: limits, receive: nil)
    }
}

/// The limits of one request.
struct CurlLimits: Sendable {
    var connectMilliseconds: Int
    var totalMilliseconds: Int
    /// A transfer slower than `slowestBytesPerSecond` for this long is ended.
    var stallSeconds: Int
    var slowestBytesPerSecond = 1
    /// The largest body of a response in bytes; the rest is not read.
    var answerBytes = 4 << 20
    /// A PEM file of certificate authorities that are trusted instead of the system's; `nil` for the system's.
    var authorityFile: String?
}

/// The outcome of a request.
enum CurlOutcome: Sendable {
    /// The server responded; `body` is `nil` if it was truncated or longer than the limit.
    case answer(status: Int, retryAfter: String?, body: [UInt8]?)
    /// There was no response.
    case failure(TransportFailure)
}
