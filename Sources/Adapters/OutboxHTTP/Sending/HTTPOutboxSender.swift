import CHealthSyncCurl
package import HealthSyncDomain
package import HealthSyncPorts

/// Sends batches over libcurl.
///
/// Blocking calls run on threads of their own, one for each request in flight. A request that has begun is finished
/// even if the calling task is cancelled.
package struct HTTPOutboxSender: HealthRecordSender, StoredStepEraser {
    private let settings: HTTPOutboxSettings
    private let classifier: ResponseClassifier
    private let time: any TimeSource
    private let exchange: any RequestExchange
    private let sessions: HTTPSessionReader

    package init(_ settings: HTTPOutboxSettings, time: any TimeSource) {
        self.settings = settings
        self.time = time
        classifier = ResponseClassifier()
        exchange = settings.makeExchange(slots: settings.slots)
        sessions = HTTPSessionReader(settings, time: time)
    }

    package func capabilities() async -> CapabilityAnswer {
        let request = CurlRequest(
            method: "GET", address: settings.address.text + "/api/v1/capabilities",
            fields: settings.commonFields + ["Accept: application/json"])
        switch await exchange.perform(request, limits: settings.limits) {
        case .failure(let failure):
            return .failed(classifier.verdict(for: failure))
        case .answer(404, _, _):
            return .capabilities(.plain)
        case .answer(let status, let retryAfter, let body):
            if (200..<300).contains(status) {
                let read = body.flatMap {
                    AnswerReader.capabilities($0, largestBody: DestinationCapabilities.plain.maxBatchBytes)
                }
                return read.map { .capabilities($0) }
                    ?? .failed(.unknown(reason: "the server returned capabilities that cannot be read"))
            }
            let response = ServerResponse(status: status, retryAfter: retryAfter)
            return .failed(
                classifier.verdict(for: response, members: [], expectsResults: true, now: time.now()))
        }
    }

    package func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        switch await exchange.perform(request(batch), limits: settings.limits) {
        case .failure(let failure):
            return classifier.verdict(for: failure)
        case .answer(let status, let retryAfter, let body):
            let response = ServerResponse(
                status: status, retryAfter: retryAfter, report: body.flatMap(AnswerReader.report),
                meansAlreadyExists: status == 409 && body.map(AnswerReader.meansAlreadyExists) ?? false,
                explanation: body.flatMap { Self.explanation($0, status: status) })
            let verdict =
                if response.meansAlreadyExists, batch.isSingleSession {
                    await verdict(ofExisting: batch, capabilities: capabilities)
                } else {
                    classifier.verdict(
                        for: response, members: batch.recordIDs, samples: batch.sampleIDs,
                        expectsResults: capabilities.returnsVerdicts, now: time.now())
                }
            guard batch.kind == .sleep, batch.operation == .store, let body else { return verdict }
            return SessionIDs(body).naming(verdict, members: batch.recordIDs)
        }
    }

    /// Returns the server's words about a rejection. A body that is not JSON may be that of a proxy, so it counts only where a
    /// record is at fault.
    private static func explanation(_ body: [UInt8], status: Int) -> String? {
        guard (400..<500).contains(status) else { return nil }
        return ServerText.explanation(body) ?? ([400, 422].contains(status) ? ServerText.plain(body) : nil)
    }

    /// Returns the verdict for a session whose server states that it exists. A server that lists its sessions is asked;
    /// the answer of one that does not is trusted, because it stores a session once and never changes it.
    private func verdict(ofExisting batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        switch await sessions.holds(batch) {
        case true:
            return .items(batch.recordIDs.map { _ in .delivered }, status: 409)
        case false:
            let reason = "the server states that the session exists, but does not list it with these times (409)"
            return .items(batch.recordIDs.map { _ in .rejected(reason: reason) }, status: 409)
        case nil where capabilities.returnsVerdicts:
            return .unknown(reason: "the server states that the session exists (409), but its list cannot be read")
        default:
            return .items(batch.recordIDs.map { _ in .delivered }, status: 409)
        }
    }

    package func deleteAllSteps() async throws {
        let request = CurlRequest(
            method: "DELETE", address: settings.address.text + "/steps",
            fields: settings.commonFields + ["Accept: application/json"])
        switch await exchange.perform(request, limits: settings.limits) {
        case .answer(200..<300, _, _): return
        case .answer(let status, _, _):
            throw SyncFailure(
                .deliveryIncomplete, subject: settings.address.text,
                reason: "the server rejected the deletion (\(status))",
                advice: status == 401 || status == 403
                    ? "use a token with the scope delete, then run the command again"
                    : "check the server's log, then run the command again")
        case .failure(let failure):
            throw SyncFailure(
                .deliveryIncomplete, subject: settings.address.text,
                reason: "the server cannot be reached (\(failure.reason))",
                advice: "run the command again when the server is available")
        }
    }

    package func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        BatchBody.content(of: records, capabilities: capabilities)
    }

    private func request(_ batch: OutboxBatch) -> CurlRequest {
        var fields = settings.commonFields + ["Accept: application/json", "Idempotency-Key: \(batch.key)"]
        if !batch.body.isEmpty {
            fields.append("Content-Type: application/json")
            // Without this, libcurl waits a second for `100 Continue` of servers that do not support it.
            fields.append("Expect:")
            if batch.isCompressed { fields.append("Content-Encoding: gzip") }
        }
        return CurlRequest(
            // The deletion of one record is in the path, those of several are in the body.
            method: batch.operation == .delete && batch.body.isEmpty ? "DELETE" : "POST",
            address: settings.address.text + batch.path, fields: fields, body: batch.body)
    }

    /// The versions of libcurl and of the libraries it uses.
    package static var libraryVersion: String { unsafe String(cString: curl_version()) }
}

extension OutboxBatch {
    /// Whether the batch stores one sleep session and nothing else.
    fileprivate var isSingleSession: Bool {
        kind == .sleep && operation == .store && sampleIDs.isEmpty && recordIDs.count == 1 && recordIDs[0].count == 1
    }
}
