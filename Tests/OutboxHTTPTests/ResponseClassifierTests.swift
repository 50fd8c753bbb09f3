import HealthSyncDomain
import HealthSyncOutboxHTTP
import Testing

/// The table of docs/delivery.md, row by row.
@Suite("Response classifier")
struct ResponseClassifierTests {
    private static let now = Instant(seconds: 1_700_000_000)
    private static let members = [["a", "b"], ["c"]]

    private func verdict(
        _ status: Int, retryAfter: String? = nil, report: ResultReport? = nil, exists: Bool = false,
        expectsResults: Bool = true
    ) -> BatchVerdict {
        ResponseClassifier().verdict(
            for: ServerResponse(status: status, retryAfter: retryAfter, report: report, meansAlreadyExists: exists),
            members: Self.members, expectsResults: expectsResults, now: Self.now)
    }

    private func report(
        _ words: [String: String], counts: [RecordResult.Status: Int] = [:], received: Int? = nil
    )
        -> ResultReport
    {
        ResultReport(
            results: words.map { RecordResult(id: $0.key, status: .init(rawValue: $0.value), reason: "why") },
            counts: counts, received: received)
    }

    @Test("2xx: the results of its records decide on each item", arguments: [200, 201, 202, 207])
    func results(status: Int) {
        #expect(
            verdict(status, report: report(["a": "created", "b": "updated", "c": "duplicate"]))
                == .items([.delivered, .delivered], status: status))
        #expect(
            verdict(status, report: report(["A": "created", "B": "created", "C": "rejected"]))
                == .items([.delivered, .rejected(reason: "why")], status: status))
        #expect(
            verdict(status, report: report(["a": "created", "b": "rejected", "c": "retry"]))
                == .items([.rejected(reason: "1 of 2 records rejected: why"), .retry], status: status))
    }

    @Test("2xx: a result for an id of other bytes is not about the record")
    func otherSpellings() {
        let members = [["k"], ["caf\u{E9}"]]
        let report = report(["\u{212A}": "created", "cafe\u{301}": "created"])
        let verdict = ResponseClassifier().verdict(
            for: ServerResponse(status: 200, report: report), members: members, expectsResults: true, now: Self.now)
        #expect(verdict == .answered([.retry, .retry]))
        #expect(!report.mentions(anyOf: members))
        #expect(self.report(["K": "created"]).mentions(anyOf: members))
    }

    @Test("2xx: an item with a record to retry is retried, whatever the results of its other records")
    func retryOutranksRejected() {
        #expect(
            verdict(200, report: report(["a": "rejected", "b": "retry", "c": "created"]))
                == .answered([.retry, .delivered]))
        #expect(
            verdict(200, report: report(["a": "created", "b": "nonsense", "c": "created"]))
                == .answered([.retry, .delivered]))
    }

    @Test("2xx: records without a result count as stored only if the counts allow no other reading")
    func counts() {
        let sparse = report(["c": "duplicate"], counts: [.created: 2, .duplicate: 1], received: 3)
        #expect(verdict(200, report: sparse) == .answered([.delivered, .delivered]))
        let onlyCounts = ResultReport(results: nil, counts: [.created: 1, .updated: 1, .duplicate: 1], received: 3)
        #expect(verdict(200, report: onlyCounts) == .answered([.delivered, .delivered]))
        for wrong in [
            report(["c": "duplicate"], counts: [.created: 1, .duplicate: 1], received: 2),
            report(["c": "duplicate"], counts: [.created: 2, .duplicate: 1], received: nil),
            report(["c": "duplicate"], counts: [.created: 2, .duplicate: 1], received: 4),
            report(["c": "duplicate"], counts: [.created: 1, .rejected: 1, .duplicate: 1], received: 3),
            report(["c": "duplicate"], counts: [.created: 3], received: 3),
            report(["c": "duplicate"]),
            report(["c": "duplicate", "z": "updated"], counts: [.created: 2, .duplicate: 1], received: 3),
        ] {
            #expect(verdict(200, report: wrong) == .answered([.retry, .delivered]))
        }
        // The response to another request of as many records.
        let foreign = report(["z": "updated"], counts: [.created: 3], received: 3)
        #expect(verdict(200, report: foreign) == .answered([.retry, .retry]))
    }

    @Test("2xx without a readable body: unknown for a full server, stored for a plain one")
    func unreadable() throws {
        guard case .unknown = verdict(200) else {
            Issue.record("an unreadable response was accepted")
            return
        }
        #expect(verdict(200, expectsResults: false) == .answered([.delivered, .delivered]))
    }

    @Test(
        "A temporary failure of the server: the same batch again",
        arguments: [408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524])
    func again(status: Int) {
        #expect(
            verdict(status, retryAfter: "7")
                == .retryBatch(
                    reason: "the server returned \(status)", status: status, retryAfter: Self.now.advanced(bySeconds: 7)
                )
        )
        #expect(
            verdict(status) == .retryBatch(reason: "the server returned \(status)", status: status, retryAfter: nil))
    }

    @Test("500: the same batch again, because the batch may be the cause")
    func internalError() {
        #expect(
            verdict(500, retryAfter: "7")
                == .failed(
                    reason: "the server returned 500", status: 500, retryAfter: Self.now.advanced(bySeconds: 7)))
        #expect(verdict(500) == .failed(reason: "the server returned 500", status: 500))
    }

    @Test("400 and 422: per item if a result names a record of the batch, else bisect", arguments: [400, 422])
    func refusals(status: Int) {
        #expect(
            verdict(status, report: report(["c": "rejected"]))
                == .items([.retry, .rejected(reason: "why")], status: status))
        let bisect = BatchVerdict.bisect(reason: "the server returned \(status)", status: status)
        #expect(verdict(status) == bisect)
        // With results of other records only, the same batch would be retried forever.
        #expect(verdict(status, report: report([:])) == bisect)
        #expect(verdict(status, report: report(["z": "rejected"])) == bisect)
    }

    @Test("409: retried after a second, or halved if a record exists, because it does not state which")
    func conflict() {
        guard case .inProgress(_, 409, let after) = verdict(409) else {
            Issue.record("a key in progress is not retried")
            return
        }
        #expect(after == Self.now.advanced(bySeconds: 1))
        guard case .bisect(let reason, 409) = verdict(409, exists: true) else {
            Issue.record("an answer that names no record settles several")
            return
        }
        #expect(reason.contains("not which"))
    }

    @Test("2xx of a plain server: stored only by a status that accepts the request as a whole", arguments: 200..<300)
    func acceptances(status: Int) {
        if [200, 201, 202, 204].contains(status) {
            #expect(verdict(status, expectsResults: false) == .items([.delivered, .delivered], status: status))
        } else if case .unknown(let reason) = verdict(status, expectsResults: false) {
            #expect(reason.contains("\(status)"))
        } else {
            Issue.record("\(status) is trusted")
        }
    }

    @Test("413 halves the batch, 410 disables the destination")
    func sizeAndGone() {
        #expect(verdict(413) == .tooLarge(status: 413))
        guard case .disable = verdict(410) else {
            Issue.record("410 does not disable the destination")
            return
        }
    }

    @Test(
        "A status that only the user can resolve pauses delivery",
        arguments: [300, 301, 302, 303, 304, 307, 308, 401, 403, 404, 405, 406, 411, 415, 431, 501, 505, 511])
    func pauses(status: Int) {
        guard case .pause(let reason, status) = verdict(status) else {
            Issue.record("\(status) does not pause")
            return
        }
        #expect(reason.contains("\(status)"))
        #expect(reason.contains(";"), "states a remedy")
    }

    @Test("Without a response: a network failure is retried, a certificate or an address pauses delivery")
    func transport() {
        let classifier = ResponseClassifier()
        #expect(
            classifier.verdict(for: .network(reason: "reset"))
                == .retryBatch(reason: "reset", status: nil, retryAfter: nil))
        for failure in [TransportFailure.certificate(reason: "x"), .unusableAddress(reason: "x")] {
            guard case .pause(_, nil) = classifier.verdict(for: failure) else {
                Issue.record("\(failure) does not pause")
                continue
            }
        }
    }

    @Test(
        "Retry-After is seconds or a date in one of three formats, never in the past, at most a day",
        arguments: [
            ("120", 120), (" 5 ", 5), ("0", 0), ("86401", 86_400), ("99999999999999999999999", 86_400),
            ("Tue, 14 Nov 2023 22:14:20 GMT", 60), ("Tuesday, 14-Nov-23 22:14:20 GMT", 60),
            ("Tue Nov 14 22:14:20 2023", 60), ("Tue, 14 Nov 2000 22:14:20 GMT", 0), ("Sun Nov  5 08:49:37 2023", 0),
            ("Fri, 14 Nov 2053 22:14:20 GMT", 86_400),
        ])
    func retryAfter(text: String, seconds: Int64) {
        let response = ServerResponse(status: 503, retryAfter: text)
        #expect(
            ResponseClassifier().retryAfter(response, now: Self.now) == Self.now.advanced(bySeconds: seconds))
    }

    @Test(
        "An invalid Retry-After is ignored",
        arguments: ["", "soon", "-1", "1.5", "Tue, 31 Nov 2023 22:14:20 GMT", "Tue, 14 Nov 2023 25:14:20 GMT"])
    func noRetryAfter(text: String) {
        let response = ServerResponse(status: 503, retryAfter: text)
        #expect(ResponseClassifier().retryAfter(response, now: Self.now) == nil)
    }

    @Test("The server's reason is cut to one line of 200 characters")
    func reasons() {
        let nasty = "a\r\n\u{1B}[2J" + String(repeating: "x", count: 1_000)
        let report = ResultReport(results: [RecordResult(id: "a", status: .rejected, reason: nasty)])
        guard case .rejected(let reason) = report.verdicts(for: [["a"]])[0] else {
            Issue.record("a rejected record has another verdict")
            return
        }
        #expect(reason.count == 200)
        #expect(reason.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test("400 and 422: a dead letter contains the server's explanation, cut to 300 characters", arguments: [400, 422])
    func explanation(status: Int) {
        func reason(_ explanation: String?) -> BatchVerdict {
            ResponseClassifier().verdict(
                for: ServerResponse(status: status, explanation: explanation), members: Self.members,
                expectsResults: true, now: Self.now)
        }
        #expect(reason(nil) == .bisect(reason: "the server returned \(status)", status: status))
        #expect(
            reason("no such type") == .bisect(reason: "the server returned \(status): no such type", status: status))
        let long = String(repeating: "x", count: 100_000)
        #expect(
            reason(long) == .bisect(reason: "the server returned \(status): \(long.prefix(300))", status: status))
        #expect(
            reason("a\u{202e}\nb") == .bisect(reason: "the server returned \(status): a  b", status: status))
    }
}
