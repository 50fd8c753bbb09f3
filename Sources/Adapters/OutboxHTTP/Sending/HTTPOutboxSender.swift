package import HealthSyncDomain
package import HealthSyncPorts

/// Sends batches over libcurl.
///
/// Blocking work happens on threads of its own, one for each request in flight. A request that has begun is finished
/// even when the calling task is cancelled.
package struct HTTPOutboxSender: OutboxSender {
    private let settings: HTTPOutboxSettings
    private let composer: BatchComposer
    private let classifier: ResponseClassifier
    private let time: any TimeSource
    private let pool: CurlPool

    package init(_ settings: HTTPOutboxSettings, hasher: any ContentHasher, time: any TimeSource) {
        self.settings = settings
        self.time = time
        composer = BatchComposer(hasher: hasher)
        classifier = ResponseClassifier()
        pool = CurlPool(slots: settings.slots)
    }

    package func capabilities() async -> CapabilityAnswer {
        let request = CurlRequest(
            method: "GET", address: settings.address.text + "/api/v1/capabilities",
            fields: settings.commonFields + ["Accept: application/json"])
        switch await pool.perform(request, limits: settings.limits) {
        case .failure(let failure):
            return .failed(classifier.verdict(for: failure))
        case .answer(404, _, _):
            return .capabilities(.plain)
        case .answer(let status, let retryAfter, let body):
            if (200..<300).contains(status) {
                let read = body.flatMap { AnswerReader.capabilities($0, largestBody: Self.largestBody) }
                return read.map { .capabilities($0) }
                    ?? .failed(.unknown(reason: "what the server says that it can do is not readable"))
            }
            let response = ServerResponse(status: status, retryAfter: retryAfter)
            return .failed(
                classifier.verdict(for: response, members: [], expectsResults: true, now: time.now()))
        }
    }

    package func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> ResponseVerdict {
        switch await pool.perform(request(batch), limits: settings.limits) {
        case .failure(let failure):
            return classifier.verdict(for: failure)
        case .answer(let status, let retryAfter, let body):
            let response = ServerResponse(
                status: status, retryAfter: retryAfter, report: body.flatMap(AnswerReader.report),
                saysAlreadyExists: status == 409 && body.map(AnswerReader.saysAlreadyExists) ?? false,
                explanation: (400..<500).contains(status) ? body.flatMap(AnswerReader.explanation) : nil)
            return classifier.verdict(
                for: response, members: batch.memberIDs, samples: batch.sampleIDs,
                expectsResults: capabilities.results, now: time.now())
        }
    }

    package func deleteAllSteps() async throws {
        let request = CurlRequest(
            method: "DELETE", address: settings.address.text + "/steps",
            fields: settings.commonFields + ["Accept: application/json"])
        switch await pool.perform(request, limits: settings.limits) {
        case .answer(200..<300, _, _): return
        case .answer(let status, _, _):
            throw SyncFailure(
                .deliveryIncomplete, subject: settings.address.text,
                reason: "the server does not delete its steps (\(status))",
                advice: status == 401 || status == 403
                    ? "give a token with the scope delete, then run it again" : "look into its log, then run it again")
        case .failure(let failure):
            throw SyncFailure(
                .deliveryIncomplete, subject: settings.address.text,
                reason: "the server was not reached (\(failure.reason))", advice: "run it again when it is there")
        }
    }

    package func batch(
        of items: [OutboxItem], destination: String, capabilities: DestinationCapabilities
    ) -> OutboxBatch {
        composer.batch(of: items, destination: destination, capabilities: capabilities)
    }

    private func request(_ batch: OutboxBatch) -> CurlRequest {
        var fields = settings.commonFields + ["Accept: application/json", "Idempotency-Key: \(batch.key)"]
        if !batch.body.isEmpty {
            fields.append("Content-Type: application/json")
            // Waiting for `100 Continue` costs a second against servers that do not know it.
            fields.append("Expect:")
            if batch.isCompressed { fields.append("Content-Encoding: gzip") }
        }
        return CurlRequest(
            method: batch.method, address: settings.address.text + batch.path, fields: fields, body: batch.body)
    }

    private static let largestBody = 1 << 20
}
