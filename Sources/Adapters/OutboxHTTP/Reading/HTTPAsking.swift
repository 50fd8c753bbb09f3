import HealthSyncDomain
import HealthSyncPorts

/// Gets answers from a server, one at a time, or says why there are none.
struct HTTPAsking: Sendable {
    private let settings: HTTPOutboxSettings
    private let classifier = ResponseClassifier()
    private let time: any TimeSource
    private let pool = CurlPool(slots: 1)

    init(_ settings: HTTPOutboxSettings, time: any TimeSource) {
        self.settings = settings
        self.time = time
    }

    /// The body of a good answer.
    ///
    /// - Throws: `SyncFailure` with `.serverUnavailable`.
    func get(_ path: String) async throws -> [UInt8] {
        let request = CurlRequest(
            method: "GET", address: settings.address.text + path,
            fields: settings.commonFields + ["Accept: application/json"])
        let verdict: ResponseVerdict
        switch await pool.perform(request, limits: settings.limits) {
        case .answer(let status, _, let body?) where (200..<300).contains(status):
            return body
        case .answer(let status, _, _) where (200..<300).contains(status):
            verdict = .unknown(reason: "the answer broke off or is too long")
        case .answer(let status, let retryAfter, _):
            verdict = classifier.verdict(
                for: ServerResponse(status: status, retryAfter: retryAfter), members: [], expectsResults: true,
                now: time.now())
        case .failure(let failure):
            verdict = classifier.verdict(for: failure)
        }
        throw SyncFailure(
            .serverUnavailable, subject: settings.address.text, reason: verdict.trouble ?? "the server refuses",
            advice: "nothing is known of what it holds; try again")
    }

    /// The failure of an answer that is not of the expected form.
    func unreadable(_ what: String) -> SyncFailure {
        SyncFailure(
            .unverifiable, subject: settings.address.text, reason: "\(what) cannot be read",
            advice: "check --server and its version")
    }
}
