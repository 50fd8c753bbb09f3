package import HealthSyncDomain

/// The meaning of a response, or of its absence, for a batch: the table of docs/delivery.md.
package struct ResponseClassifier: Sendable {
    private let policy: RetryPolicy

    package init(policy: RetryPolicy = RetryPolicy()) { self.policy = policy }

    /// Returns the verdict for the response to a request whose items have the record ids `members`.
    ///
    /// - Parameters:
    ///   - samples: the ids of the samples of each item of a request of raw samples; empty for records.
    ///   - expectsResults: whether the server returns a result for each record; otherwise a 2xx status is enough.
    ///   - now: the instant from which `Retry-After` counts.
    package func verdict(
        for response: ServerResponse, members: [[String]], samples: [[SampleID]] = [], expectsResults: Bool,
        now: Instant
    ) -> BatchVerdict {
        let status = response.status
        switch status {
        case 200..<300:
            guard expectsResults else {
                // Others state that only a part was processed, or nothing by this server.
                guard Self.acceptances.contains(status) else {
                    return .unknown(reason: "the server returned \(status), which does not state what it stored")
                }
                return .items(Self.accepted(members: members, samples: samples), status: status)
            }
            guard let report = response.report else {
                return .unknown(reason: "the server returned \(status) with a body that cannot be read")
            }
            return .items(Self.verdicts(of: report, members: members, samples: samples), status: status)
        case 300..<400:
            return .pause(reason: Self.pauseReason(response), status: status)
        case 400, 422:
            let names = samples.isEmpty ? members : samples.map { $0.map(\.description) }
            guard let report = response.report, report.mentions(anyOf: names) else {
                return .bisect(reason: Self.rejection(response), status: status)
            }
            return .items(Self.verdicts(of: report, members: members, samples: samples), status: status)
        case 409:
            if response.meansAlreadyExists { return Self.existing(members: members, samples: samples) }
            return .inProgress(
                reason: "the server is still processing the same request (409)", status: 409,
                retryAfter: retryAfter(response, now: now) ?? now.advanced(byMilliseconds: 1_000))
        case 410:
            return .disable(reason: "the server no longer exists (410)", status: status)
        case 413:
            return .tooLarge(status: status)
        case 408, 425, 429:
            return again(response, now: now)
        case 501, 505, 511:
            return .pause(reason: Self.pauseReason(response), status: status)
        case 400..<500:
            return .pause(reason: Self.pauseReason(response), status: status)
        case 500:
            return .failed(
                reason: Self.problem(response), status: status, retryAfter: retryAfter(response, now: now))
        case 501...:
            return again(response, now: now)
        default:
            return .unknown(reason: "the server returned \(status)")
        }
    }

    /// Returns the verdict for a 409 that states that a record exists. It names none, and the record may exist with other
    /// content, so the request is halved down to single records, which become dead letters. Only a session that is sent on
    /// its own can be delivered by such an answer: see `HTTPOutboxSender`.
    private static func existing(members: [[String]], samples: [[SampleID]]) -> BatchVerdict {
        let count = samples.isEmpty ? members.joined().count : samples.joined().count
        return .bisect(
            reason: count == 1
                ? "the server states that the record exists, but not with which content (409)"
                : "the server states that a record exists, but not which (409)", status: 409)
    }

    /// Returns the verdict for a request without a response.
    package func verdict(for failure: TransportFailure) -> BatchVerdict {
        switch failure {
        case .network(let reason):
            .retryBatch(reason: reason, status: nil, retryAfter: nil)
        case .certificate(let reason):
            .pause(
                reason: "the server's certificate is not trusted (\(reason)); "
                    + "install a valid certificate or the certificate of its authority")
        case .unusableAddress(let reason):
            .pause(reason: "the server's address cannot be used (\(reason)); correct --server")
        }
    }

    /// Returns the instant in `Retry-After`, given in seconds or as a date and bounded by the policy; `nil` if absent
    /// or not valid.
    package func retryAfter(_ response: ServerResponse, now: Instant) -> Instant? {
        guard let text = response.retryAfter?.withoutOuterBlanks, !text.isEmpty else { return nil }
        let latest = now.advanced(byMilliseconds: policy.longestRetryAfterMilliseconds)
        if let seconds = text.unsignedDecimal {
            return min(Instant(milliseconds: now.milliseconds).advanced(bySeconds: min(seconds, 1 << 40)), latest)
        }
        return HTTPDate.instant(String(text), now: now).map { max(now, min($0, latest)) }
    }

    private static func verdicts(
        of report: ResultReport, members: [[String]], samples: [[SampleID]]
    ) -> [ItemVerdict] {
        samples.isEmpty ? report.verdicts(for: members) : report.verdicts(forSamples: samples)
    }

    /// Returns the status and the beginning of the server's explanation.
    private static func rejection(_ response: ServerResponse) -> String {
        let explanation = response.explanation.map { ": " + ServerText.line($0, first: longestExplanation) } ?? ""
        return problem(response) + explanation
    }

    private static func problem(_ response: ServerResponse) -> String { "the server returned \(response.status)" }

    private static let longestExplanation = 300
    /// The statuses with which a server without results accepts a request as a whole.
    private static let acceptances: Set<Int> = [200, 201, 202, 204]

    private static func accepted(members: [[String]], samples: [[SampleID]]) -> [ItemVerdict] {
        guard !samples.isEmpty else { return members.map { _ in .delivered } }
        return samples.map { ids in
            var counts = SampleCounts()
            counts.accepted = ids.count
            return .samples(SampleVerdicts(counts: counts))
        }
    }

    private func again(_ response: ServerResponse, now: Instant) -> BatchVerdict {
        .retryBatch(
            reason: Self.problem(response), status: response.status,
            retryAfter: retryAfter(response, now: now))
    }

    private static func pauseReason(_ response: ServerResponse) -> String {
        let status = response.status
        return switch status {
        case 401: "the server requires a valid token (401); check --token-file"
        case 403:
            (response.explanation.map { "\(ServerText.line($0, first: longestExplanation)) (403)" }
                ?? "the token lacks a permission (403)")
                + "; use a token with the scopes ingest, read and delete"
        case 404, 405: "the server has no such endpoint (\(status)); check --server"
        case 300..<400: "the server redirects (\(status)), which is not followed; use its final address as --server"
        case 411, 415, 431: "the server does not accept this kind of request (\(status)); check for a proxy in between"
        case 511: "the network requires a login (511); log in"
        case 501, 505: "the server does not support this (\(status)); check --server and its version"
        default: "the server rejected the request (\(status)); check its log"
        }
    }
}

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

/// Why there was no response.
package enum TransportFailure: Sendable, Hashable {
    /// DNS, connect, TLS handshake, reset or timeout: temporary.
    case network(reason: String)
    /// The server's certificate cannot be trusted.
    case certificate(reason: String)
    /// No request can be made with the address or the settings.
    case unusableAddress(reason: String)

    /// The problem, as a clause.
    package var reason: String {
        switch self {
        case .network(let reason), .certificate(let reason), .unusableAddress(let reason): reason
        }
    }
}

/// The three date forms of RFC 9110, section 5.6.7, as used in `Retry-After` and `Date`.
private enum HTTPDate {
    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`; `nil`
    /// for anything else and for times that do not exist. `now` determines the century of a year of two digits.
    package static func instant(_ text: String, now: Instant) -> Instant? {
        let words = text.utf8.split { $0 == 0x20 || $0 == 0x2C }.map { String(Substring($0)) }
        switch words.count {
        case 6 where words[5] == "GMT":
            return instant(day: words[1], month: words[2], year: Int(digits: words[3], count: 4), time: words[4])
        case 4 where words[3] == "GMT":
            let date = words[1].parts(separatedBy: "-").map(String.init)
            guard date.count == 3, let year = Int(digits: date[2], count: 2) else { return nil }
            return instant(day: date[0], month: date[1], year: fullYear(year, now: now), time: words[2])
        case 5:
            let day = words[2].utf8.count == 1 ? "0" + words[2] : words[2]
            return instant(day: day, month: words[1], year: Int(digits: words[4], count: 4), time: words[3])
        default:
            return nil
        }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func instant(day: String, month: String, year: Int?, time: String) -> Instant? {
        let clock = time.parts(separatedBy: ":").map {
            Int(digits: String($0), count: 2)
        }
        guard let year, let month = months.firstIndex(of: month), let dayOfMonth = Int(digits: day, count: 2),
            let day = CalendarDay(year: year, month: month + 1, day: dayOfMonth),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return day.utcStart.advanced(bySeconds: Int64(hour * 3600 + minute * 60 + second))
    }

    /// RFC 9110: a date that seems to lie more than 50 years ahead is the most recent past year with those digits.
    private static func fullYear(_ twoDigits: Int, now: Instant) -> Int {
        let thisYear = CalendarDay(utcDayOf: now).components.year
        let year = thisYear - thisYear % 100 + twoDigits
        return year > thisYear + 50 ? year - 100 : year
    }
}

extension Int {
    fileprivate init?(digits text: String, count: Int) {
        guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}
