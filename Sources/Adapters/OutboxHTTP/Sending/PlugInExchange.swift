package import HealthSyncDomain
package import HealthSyncPorts

/// Sends requests of the senders of plug-ins over libcurl.
package struct PlugInExchange: HTTPExchange {
    private let exchange: any RequestExchange
    private let limits: CurlLimits
    private let time: any TimeSource
    private let classifier = ResponseClassifier()

    private static let connectMilliseconds = 10_000

    /// - Parameters:
    ///   - inFlight: how many calls are sent at a time; each has a thread and a connection.
    ///   - timeoutMilliseconds: the longest time of a call.
    ///   - time: the clock from which `Retry-After` counts.
    ///   - authorityFile: a PEM file of the authorities that are trusted instead of the system's.
    package init(
        inFlight: Int = 3, timeoutMilliseconds: Int = 30_000, time: any TimeSource, authorityFile: String? = nil
    ) {
        exchange = CurlPool(slots: inFlight)
        limits = CurlLimits(
            connectMilliseconds: min(Self.connectMilliseconds, timeoutMilliseconds),
            totalMilliseconds: timeoutMilliseconds, stallSeconds: (timeoutMilliseconds + 999) / 1_000,
            authorityFile: authorityFile)
        self.time = time
    }

    package func send(_ call: HTTPCall) async -> HTTPOutcome {
        guard !Task.isCancelled else { return .cancelled }
        if let reason = Self.problem(of: call) { return .unusable(reason: reason) }
        // Without `Expect:`, libcurl waits a second for `100 Continue` of servers that do not support it. Without `Content-Type:`,
        // it calls a body a form.
        let hasType = call.fields.contains { $0.name.equalsIgnoringASCIICase("content-type") }
        let fields =
            ["User-Agent: healthsync", "Expect:"] + (hasType ? [] : ["Content-Type:"])
            + call.fields.map { "\($0.name): \($0.value)" }
        let request = CurlRequest(method: call.method.rawValue, address: call.url, fields: fields, body: call.body)
        switch await exchange.perform(request, limits: limits) {
        case .answer(let status, let retryAfter, let body):
            return .answer(HTTPAnswer(status: status, retryAfter: retryAfter, body: body))
        case .failure(.network(let reason)): return .noAnswer(reason: reason)
        case .failure(.certificate(let reason)): return .untrusted(reason: reason)
        case .failure(.unusableAddress(let reason)): return .unusable(reason: reason)
        }
    }

    package func verdict(for outcome: HTTPOutcome, of batch: OutboxBatch?) -> BatchVerdict {
        switch outcome {
        case .answer(let answer):
            classifier.verdict(
                for: ServerResponse(
                    status: answer.status, retryAfter: answer.retryAfter,
                    explanation: answer.body.flatMap(ServerText.explanation)),
                members: batch?.recordIDs ?? [], samples: batch?.sampleIDs ?? [], expectsResults: false, now: time.now()
            )
        case .cancelled: .retryBatch(reason: "cancelled before it was sent")
        case .noAnswer(let reason): classifier.verdict(for: .network(reason: reason))
        case .untrusted(let reason): classifier.verdict(for: .certificate(reason: reason))
        case .unusable(let reason): classifier.verdict(for: .unusableAddress(reason: reason))
        }
    }

    /// Returns why a call cannot be sent; `nil` if it can. A line break would begin a field of the author's data.
    private static func problem(of call: HTTPCall) -> String? {
        let url = call.url.asciiLowercased
        guard url.hasBytePrefix("https://") || url.hasBytePrefix("http://"),
            call.url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return "the address is not one of http or https" }
        if call.method == .get, !call.body.isEmpty { return "a GET has no body" }
        for field in call.fields {
            let isName = field.name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte)
            }
            let isValue = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            guard isName, !field.name.isEmpty, isValue, !field.value.withoutOuterBlanks.isEmpty else {
                return "a header field has an invalid name or value"
            }
        }
        return nil
    }
}
