/// The table of docs/delivery.md: what an answer, or the lack of one, means for a batch.
package struct ResponseClassifier: Sendable {
    private let policy: RetryPolicy

    package init(policy: RetryPolicy = RetryPolicy()) { self.policy = policy }

    /// The verdict for the answer to a request whose items have the record ids `members`.
    ///
    /// - Parameters:
    ///   - samples: the ids of the samples of each item, of a request of raw samples; empty for records.
    ///   - expectsResults: whether the server answers a result for each record; one that does not is believed on 2xx.
    ///   - now: from which `Retry-After` counts.
    package func verdict(
        for response: ServerResponse, members: [[String]], samples: [[SampleID]] = [], expectsResults: Bool,
        now: Instant
    ) -> ResponseVerdict {
        let status = response.status
        switch status {
        case 200..<300:
            guard expectsResults else {
                return .items(Self.believed(members: members, samples: samples), status: status)
            }
            guard let report = response.report else { return .unknown(reason: "the answer \(status) is not readable") }
            return .items(Self.verdicts(of: report, members: members, samples: samples), status: status)
        case 300..<400:
            return .pause(reason: Self.pauseReason(status), status: status)
        case 400, 422:
            let names = samples.isEmpty ? members : samples.map { $0.map(\.description) }
            guard let report = response.report, report.mentions(anyOf: names) else {
                return .bisect(reason: Self.refusal(response), status: status)
            }
            return .items(Self.verdicts(of: report, members: members, samples: samples), status: status)
        case 409:
            if response.saysAlreadyExists {
                return .items(Self.believed(members: members, samples: samples), status: status)
            }
            return .retryBatch(
                reason: "the server is still working on the same request (409)", status: 409,
                retryAfter: retryAfter(response, now: now) ?? now.advanced(byMilliseconds: 1_000))
        case 410:
            return .disable(reason: "the server says that it is gone for good (410)")
        case 413:
            return .tooLarge
        case 408, 425, 429:
            return again(response, now: now)
        case 501, 505, 511:
            return .pause(reason: Self.pauseReason(status), status: status)
        case 400..<500:
            return .pause(reason: Self.pauseReason(status), status: status)
        case 500...:
            return again(response, now: now)
        default:
            return .unknown(reason: "the server answers \(status)")
        }
    }

    /// The verdict where there was no answer.
    package func verdict(for failure: TransportFailure) -> ResponseVerdict {
        switch failure {
        case .network(let reason):
            .retryBatch(reason: reason, status: nil, retryAfter: nil)
        case .certificate(let reason):
            .pause(
                reason: "the server's certificate is not trusted (\(reason)); "
                    + "install a valid certificate or name its authority", status: nil)
        case .unusableAddress(let reason):
            .pause(reason: "the server's address cannot be used (\(reason)); correct --server", status: nil)
        }
    }

    /// The instant that `Retry-After` names, in seconds or as a date, bounded by the policy; `nil` without a usable one.
    package func retryAfter(_ response: ServerResponse, now: Instant) -> Instant? {
        guard let text = response.retryAfter?.split(separator: " ").joined(separator: " "), !text.isEmpty else {
            return nil
        }
        let latest = now.advanced(byMilliseconds: policy.longestRetryAfterMilliseconds)
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than an Int64 holds is later than any bound.
            guard let seconds = Int64(text) else { return latest }
            return min(Instant(milliseconds: now.milliseconds).advanced(bySeconds: min(seconds, 1 << 40)), latest)
        }
        return HTTPDate.instant(text, now: now).map { max(now, min($0, latest)) }
    }

    private static func verdicts(
        of report: ResultReport, members: [[String]], samples: [[SampleID]]
    ) -> [ItemVerdict] {
        samples.isEmpty ? report.verdicts(for: members) : report.verdicts(forSamples: samples)
    }

    /// The status and the beginning of what the server says of it.
    private static func refusal(_ response: ServerResponse) -> String {
        let explanation = response.explanation.map { ": \($0.prefix(longestExplanation))" } ?? ""
        return "the server answers \(response.status)\(explanation)"
    }

    private static let longestExplanation = 300

    private static func believed(members: [[String]], samples: [[SampleID]]) -> [ItemVerdict] {
        guard !samples.isEmpty else { return members.map { _ in .delivered } }
        return samples.map { ids in
            var counts = SampleCounts()
            counts.believed = ids.count
            return .samples(SampleVerdicts(counts: counts))
        }
    }

    private func again(_ response: ServerResponse, now: Instant) -> ResponseVerdict {
        .retryBatch(
            reason: "the server answers \(response.status)", status: response.status,
            retryAfter: retryAfter(response, now: now))
    }

    private static func pauseReason(_ status: Int) -> String {
        switch status {
        case 401: "the server does not know the token (401); check --token-file"
        case 403: "the token may not store data (403); ask for one that may"
        case 404, 405: "the server has no such endpoint (\(status)); check --server"
        case 300..<400: "the server redirects (\(status)), which is not followed; give its final address as --server"
        case 411, 415, 431: "the server does not take this kind of request (\(status)); look for a proxy in between"
        case 511: "the network asks for a login (511); log in, then push again"
        case 501, 505: "the server cannot do this (\(status)); check --server and its version"
        default: "the server refuses (\(status)); look into its log, then push again"
        }
    }
}
