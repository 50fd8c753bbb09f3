import HealthSyncDomain
import HealthSyncPorts

/// Sends GET requests to a server, one at a time.
struct HTTPGetClient: Sendable {
    private let settings: HTTPOutboxSettings
    private let classifier = ResponseClassifier()
    private let time: any TimeSource
    private let exchange: any RequestExchange

    init(_ settings: HTTPOutboxSettings, time: any TimeSource) {
        self.settings = settings
        exchange = settings.makeExchange(slots: 1)
        self.time = time
    }

    /// Returns the body of a successful response.
    ///
    /// - Throws: `SyncFailure` with `.serverUnavailable` if none exists.
    func get(_ path: String) async throws -> [UInt8] {
        let request = CurlRequest(
            method: "GET", address: settings.address.text + path,
            fields: settings.commonFields + ["Accept: application/json"])
        let verdict: BatchVerdict
        switch await exchange.perform(request, limits: settings.limits) {
        case .answer(let status, _, let body?) where (200..<300).contains(status):
            return body
        case .answer(let status, _, _) where (200..<300).contains(status):
            verdict = .unknown(reason: "the response is truncated or too long")
        case .answer(let status, let retryAfter, _):
            verdict = classifier.verdict(
                for: ServerResponse(status: status, retryAfter: retryAfter), members: [], expectsResults: true,
                now: time.now())
        case .failure(let failure):
            verdict = classifier.verdict(for: failure)
        }
        throw SyncFailure(
            .serverUnavailable, subject: settings.address.text,
            reason: verdict.trouble ?? "the server rejected the request",
            // The reason names what the user has to change.
            advice: verdict.needsUser ? "then run the command again" : "try again later")
    }

    /// Returns the failure for a response that does not have the expected form.
    func unreadable(_ what: String) -> SyncFailure {
        SyncFailure(
            .unverifiable, subject: settings.address.text, reason: "\(what) cannot be read",
            advice: "check --server and its version")
    }
}
