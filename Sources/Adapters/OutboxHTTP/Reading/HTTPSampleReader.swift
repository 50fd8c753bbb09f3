package import HealthSyncDomain
package import HealthSyncPorts

/// Asks a server over libcurl which raw samples it has: `GET /api/v1/digest` and `GET` of the samples of a type.
package struct HTTPSampleReader: ServerSampleReader {
    package let intervalsPerRequest = 64
    private let settings: HTTPOutboxSettings
    private let classifier = ResponseClassifier()
    private let time: any TimeSource
    private let pool = CurlPool(slots: 1)

    package init(_ settings: HTTPOutboxSettings, time: any TimeSource) {
        self.settings = settings
        self.time = time
    }

    package func digests(of type: SampleType, in intervals: [GridInterval]) async throws -> [HalvedDigest] {
        guard let first = intervals.first else { return [] }
        let starts = intervals.map { RFC3339.string($0.start) }.joined(separator: ",")
        let body = try await get(
            "/api/v1/digest?type=\(Self.name(of: type))&seconds=\(first.seconds)&start=\(starts)")
        guard let digests = DigestReading.digests(body, starts: intervals.map(\.start)) else {
            throw unreadable("its digests")
        }
        return digests
    }

    package func samples(
        of type: SampleType, in range: InstantRange, from cursor: String?
    ) async throws -> RawSamplePage {
        let path = type == SampleTypeDefinition.stepCount.type ? "/steps" : "/api/v1/samples/\(Self.name(of: type))"
        let body = try await get(
            "\(path)?from=\(RFC3339.string(range.start))&to=\(RFC3339.string(range.end))&limit=\(Self.pageSize)"
                + (cursor.map { "&cursor=\($0)" } ?? ""))
        guard let page = SampleListReading.page(body) else { throw unreadable("its list of samples") }
        return page
    }

    private func get(_ path: String) async throws -> [UInt8] {
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

    private func unreadable(_ what: String) -> SyncFailure {
        SyncFailure(
            .unverifiable, subject: settings.address.text, reason: "\(what) cannot be read",
            advice: "check --server and its version")
    }

    /// The wire's name of a type.
    private static func name(of type: SampleType) -> String {
        type == SampleTypeDefinition.stepCount.type ? "steps" : type.shortName
    }

    private static let pageSize = 5_000
}
