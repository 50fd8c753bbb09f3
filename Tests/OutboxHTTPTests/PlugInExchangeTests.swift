import Foundation
import HealthSyncDomain
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// The HTTP client of the senders of plug-ins, against servers in Python.
@Suite("HTTP client of plug-ins")
struct PlugInExchangeTests {
    private let time = ManualTime()

    private func exchange(timeout: Int = Senders.patience, authorityFile: String? = nil) -> PlugInExchange {
        PlugInExchange(timeoutMilliseconds: timeout, time: time, authorityFile: authorityFile)
    }

    private static func answer(_ status: String, _ fields: String = "", body: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    @Test(
        "A call arrives with its method, path, fields and body, and the answer comes back whole",
        arguments: HTTPCall.Method.allCases)
    func wholeExchange(method: HTTPCall.Method) async throws {
        let server = try await RawServer(answer: Self.answer("201 Created", "Retry-After: 7\r\n", body: "{\"a\":1}"))
        let body = method == .get ? "" : "first\r\nsecond"
        let call = HTTPCall(
            method, server.address + "/a/b?c=d",
            fields: [.init("Content-Type", "text/plain"), .init("X-Key", "é \"1\"")],
            body: Array(body.utf8))
        let outcome = await exchange().send(call)
        #expect(outcome == .answer(HTTPAnswer(status: 201, retryAfter: "7", body: Array("{\"a\":1}".utf8))))
        let request = try #require(try server.requests().first)
        let head = request.components(separatedBy: "\r\n\r\n").first ?? ""
        let lines = head.components(separatedBy: "\r\n")
        #expect(lines.first == "\(method.rawValue) /a/b?c=d HTTP/1.1")
        #expect(lines.contains("Content-Type: text/plain") && lines.contains("X-Key: é \"1\""))
        #expect(!head.lowercased().contains("expect:"))
        #expect(request.utf8.dropFirst(head.utf8.count + 4).elementsEqual(body.utf8))
    }

    @Test("A body has the type that its author states, or none")
    func contentType() async throws {
        let server = try await RawServer(answer: Self.answer("204 No Content"))
        for fields in [[], [HTTPCall.Field("content-TYPE", "text/plain")]] {
            let outcome = await exchange().send(HTTPCall(.post, server.address, fields: fields, body: [1]))
            #expect(outcome == .answer(HTTPAnswer(status: 204)))
        }
        let types = try server.requests().map { request in
            request.components(separatedBy: "\r\n").filter { $0.lowercased().hasPrefix("content-type") }
        }
        #expect(Set(types) == [[], ["content-TYPE: text/plain"]])
    }

    @Test("A redirect is an answer and is not followed; a body that is too large or cut off is left out")
    func oddAnswers() async throws {
        let other = try await RawServer(answer: Self.answer("200 OK"))
        let redirect = try await RawServer(answer: Self.answer("302 Found", "Location: \(other.address)/\r\n"))
        #expect(await exchange().send(HTTPCall(.get, redirect.address)) == .answer(HTTPAnswer(status: 302)))
        #expect(try other.requests().isEmpty)
        let large = try await RawServer(
            answer: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(repeating: "\0", count: 5))
        #expect(await exchange().send(HTTPCall(.get, large.address)) == .answer(HTTPAnswer(status: 200, body: nil)))
        let cut = try await RawServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nabc")
        #expect(await exchange().send(HTTPCall(.get, cut.address)) == .answer(HTTPAnswer(status: 200, body: nil)))
    }

    @Test("A call of a cancelled task is not sent; one that was sent is finished")
    func cancellation() async throws {
        let server = try await RawServer(answer: Self.answer("200 OK"))
        let exchange = exchange()
        let call = HTTPCall(.post, server.address, body: [1])
        let late = Task {
            // Ends when the task is cancelled.
            let (endless, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in endless {}
            return await exchange.send(call)
        }
        late.cancel()
        #expect(await late.value == .cancelled)
        #expect(try server.requests().isEmpty)
        let slow = try await RawServer(answer: "\u{1}\u{1}" + Self.answer("200 OK"))
        let sent = Task { await exchange.send(HTTPCall(.post, slow.address, body: [1])) }
        while try slow.requests().isEmpty { await Task.yield() }
        sent.cancel()
        #expect(await sent.value == .answer(HTTPAnswer(status: 200)))
    }

    @Test("No server, no time and an unknown certificate are no answer, each in its way")
    func failures() async throws {
        let gone = try await RawServer(answer: "")
        guard case .noAnswer = await exchange().send(HTTPCall(.get, gone.address)) else {
            Issue.record("an empty answer")
            return
        }
        guard case .noAnswer = await exchange().send(HTTPCall(.get, "http://127.0.0.1:1/")) else {
            Issue.record("no server")
            return
        }
        let slow = try await RawServer(answer: "\u{1}\u{1}\u{1}\u{1}" + Self.answer("200 OK"))
        guard case .noAnswer = await exchange(timeout: 500).send(HTTPCall(.get, slow.address)) else {
            Issue.record("no time")
            return
        }
        let secret = try await RawServer(answer: Self.answer("200 OK"), usesTLS: true)
        guard case .untrusted = await exchange().send(HTTPCall(.get, secret.address)) else {
            Issue.record("an unknown certificate")
            return
        }
        let trusting = exchange(authorityFile: secret.certificateFile)
        #expect(await trusting.send(HTTPCall(.get, secret.address)) == .answer(HTTPAnswer(status: 200)))
    }

    @Test(
        "What could not be sent as it is stated is not sent",
        arguments: [
            HTTPCall(.get, "ftp://127.0.0.1/"), HTTPCall(.get, "file:///etc/passwd"), HTTPCall(.get, "127.0.0.1"),
            HTTPCall(.get, "http://127.0.0.1/a b"), HTTPCall(.get, "http://127.0.0.1/\r\nX: y"),
            HTTPCall(.get, "http://é/"),
            HTTPCall(.get, "http://127.0.0.1/", body: [1]),
            HTTPCall(.post, "http://127.0.0.1/", fields: [.init("X", "a\r\nEvil: b")]),
            HTTPCall(.post, "http://127.0.0.1/", fields: [.init("X: y\r\nEvil", "b")]),
            HTTPCall(.post, "http://127.0.0.1/", fields: [.init("", "b")]),
            HTTPCall(.post, "http://127.0.0.1/", fields: [.init("X", " ")]),
        ])
    func unusable(call: HTTPCall) async {
        guard case .unusable = await exchange().send(call) else {
            Issue.record("it was sent")
            return
        }
    }

    /// The oracle is the sender of the receiving API, whose table docs/delivery.md states.
    @Test("An answer means for a batch what it means from a server without results", arguments: 200..<600)
    func verdicts(status: Int) throws {
        let batch = try Senders.stepsBatch(to: "https://a.example", days: 2)
        let answer = HTTPAnswer(status: status, retryAfter: "9")
        let verdict = exchange().verdict(for: .answer(answer), of: batch)
        #expect(
            verdict
                == ResponseClassifier().verdict(
                    for: ServerResponse(status: status, retryAfter: "9"), members: batch.recordIDs,
                    samples: batch.sampleIDs,
                    expectsResults: false, now: time.now()))
        if [200, 201, 202, 204].contains(status) { #expect(verdict == .delivered(batch, status: status)) }
    }

    @Test("Without an answer a batch is sent again, or waits for the user")
    func verdictsWithoutAnswer() throws {
        let batch = try Senders.stepsBatch(to: "https://a.example", days: 2)
        for outcome in [HTTPOutcome.cancelled, .noAnswer(reason: "no connection")] {
            guard case .retryBatch = exchange().verdict(for: outcome, of: batch) else {
                Issue.record("\(outcome)")
                continue
            }
        }
        for outcome in [HTTPOutcome.untrusted(reason: "self-signed"), .unusable(reason: "no address")] {
            guard case .pause = exchange().verdict(for: outcome, of: nil) else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    @Test("A request to open a destination has no client unless one is given")
    func noClient() async {
        let request = DestinationRequest(address: "x", userProfile: "y", time: time)
        guard case .unusable = await request.http.send(HTTPCall(.get, "http://127.0.0.1/")) else {
            Issue.record("it was sent")
            return
        }
    }
}
