import Foundation
import HealthSyncDomain
import HealthSyncOutboxHTTP
import HealthSyncPorts
import Testing

/// Requests and responses byte by byte, and failures below HTTP.
@Suite("Outbox wire")
struct HTTPWireTests {
    private func send(
        to server: RawServer, timeout: Int = Senders.patience, authorityFile: String? = nil, token: String? = "t0ken",
        capabilities: DestinationCapabilities = Senders.full
    ) async throws -> BatchVerdict {
        let sender = try Senders.sender(
            to: server.address, token: token, timeout: timeout, authorityFile: authorityFile)
        return await sender.send(
            try Senders.stepsBatch(to: server.address, days: 1), capabilities: capabilities)
    }

    private func answer(_ status: String, _ body: String, fields: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(fields)\r\n\(body)"
    }

    @Test("A request contains token, profile and key; a small body is not compressed")
    func fields() async throws {
        let server = try await RawServer(answer: answer("200 OK", #"{"received":2,"created":2}"#))
        #expect(try await send(to: server) == .answered([.delivered]))
        let request = try #require(try server.requests().first)
        let lines = request.components(separatedBy: "\r\n")
        #expect(lines[0] == "POST /api/v1/progress HTTP/1.1")
        #expect(lines.contains("Authorization: Bearer t0ken"))
        #expect(lines.contains("Healthsync-Profile: \(Senders.profile)"))
        #expect(lines.contains("Content-Type: application/json"))
        #expect(!request.contains("Expect:"))
        #expect(!request.contains("Content-Encoding"))
        let key = try #require(lines.first { $0.hasPrefix("Idempotency-Key: ") }?.dropFirst(17))
        #expect(UUID(uuidString: String(key)) != nil)
        #expect(lines.last?.hasPrefix(#"{"entries":[{"day":"2024-01-01""#) == true)
    }

    @Test("A response may take as long as the timeout, also if nothing arrives before")
    func silence() async throws {
        let silence = String(repeating: "\u{1}", count: 32)
        let server = try await RawServer(answer: silence + answer("200 OK", #"{"received":2,"created":2}"#))
        #expect(try await send(to: server) == .answered([.delivered]))
    }

    @Test("An untrusted certificate pauses delivery; with its authority file it is trusted")
    func certificates() async throws {
        let server = try await RawServer(answer: answer("200 OK", #"{"received":2,"created":2}"#), usesTLS: true)
        let verdict = try await send(to: server)
        guard case .pause(let reason, nil) = verdict else {
            Issue.record("the verdict on a self-signed certificate is \(verdict)")
            return
        }
        #expect(reason.contains("certificate"))
        #expect(try server.requests().isEmpty)
        #expect(try await send(to: server, authorityFile: server.certificateFile) == .answered([.delivered]))
    }

    @Test("A response is read up to 4 MiB")
    func huge() async throws {
        let server = try await RawServer(
            answer: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(repeating: "\0", count: 6))
        guard case .unknown = try await send(to: server) else {
            Issue.record("a response of six megabytes was accepted")
            return
        }
        #expect(try await send(to: server, capabilities: .plain) == .answered([.delivered]))
    }

    @Test("Bytes other than HTTP, no response and a closed port are network failures")
    func network() async throws {
        let babbling = try await RawServer(answer: "SSH-2.0-OpenSSH_9.2\r\n")
        let silent = try await RawServer(answer: "\u{1}\u{1}\u{1}")
        for verdict in [
            try await send(to: babbling), try await send(to: silent, timeout: 400),
            try await Senders.sender(to: "http://127.0.0.1:1").send(
                Senders.stepsBatch(to: "x"), capabilities: Senders.full),
        ] {
            guard case .retryBatch(_, nil, nil) = verdict else {
                Issue.record("the verdict without a response is \(verdict)")
                continue
            }
        }
    }

    @Test("A 409 for an existing record is halved, because it names none; a 409 for a key in progress is retried")
    func conflict() async throws {
        let exists = try await RawServer(answer: answer("409 Conflict", #"{"title":"record already exists"}"#))
        guard case .bisect(_, 409) = try await send(to: exists) else {
            Issue.record("a record whose content the server does not state is settled")
            return
        }
        let missing = try await RawServer(answer: answer("409 Conflict", #"{"title":"the type does not exist"}"#))
        guard case .inProgress(_, 409, _?) = try await send(to: missing) else {
            Issue.record("a record of a type that does not exist is settled")
            return
        }
        let busy = try await RawServer(
            answer: answer("409 Conflict", #"{"title":"a request with this key is in progress"}"#))
        guard case .inProgress(_, 409, _?) = try await send(to: busy) else {
            Issue.record("a key in progress is not retried")
            return
        }
    }

    @Test(
        "A session that exists according to a 409 is delivered only if the server lists it, or cannot be asked",
        arguments: [
            (Samples.sessionList("2024-01-14T21:58:00Z", "2024-01-15T06:01:00Z"), true),
            (Samples.sessionList("2024-01-14T22:58:00+01:00", "2024-01-15T06:01:01Z"), false),
            (Samples.sessionList("", ""), false),
            (#"{"success":true,"data":{"sessions":[{"source_id":"another"}],"has_more":false}}"#, false),
            (#"{"success":true,"data":{"sessions":[],"has_more":false}}"#, false),
            (#"{"success":true,"data":{"sessions":[],"has_more":true}}"#, true), ("no JSON", true),
        ])
    func existingSession(list: String, isDelivered: Bool) async throws {
        let server = try await RawServer(
            answer: answer("409 Conflict", #"{"error":"sleep session already exists"}"#),
            answerToGet: answer("200 OK", list))
        let batch = try Senders.sleepBatch(to: server.address)
        let verdict = try await Senders.sender(to: server.address).send(batch, capabilities: .plain)
        guard case .items(let items, status: 409) = verdict else {
            Issue.record("the verdict is \(verdict)")
            return
        }
        #expect((items == [.delivered]) == isDelivered)
        let asked = try #require(try server.requests().last)
        #expect(asked.hasPrefix("GET /api/v1/sleep?from="))
    }

    @Test("A server with results whose list of sessions cannot be read is asked again")
    func unlistedSession() async throws {
        let server = try await RawServer(
            answer: answer("409 Conflict", #"{"error":"sleep session already exists"}"#),
            answerToGet: answer("200 OK", "no JSON"))
        let batch = try Senders.sleepBatch(to: server.address, capabilities: Senders.full)
        #expect(!batch.isCompressed, "a session on its own is read again")
        guard case .unknown = try await Senders.sender(to: server.address).send(batch, capabilities: Senders.full)
        else {
            Issue.record("a session that the server may not have is settled")
            return
        }
    }

    @Test("The results in a 422 apply item by item")
    func listed() async throws {
        let body = #"{"results":[{"id":"steps/day/2024-01-01","status":"rejected","reason":"odd"}]}"#
        let server = try await RawServer(answer: answer("422 Unprocessable Content", body))
        #expect(try await send(to: server) == .items([.retry], status: 422))
    }

    @Test("The server's reason for a rejection is kept, in both forms of an error body")
    func explained() async throws {
        for body in [#"{"error":"no steps today"}"#, #"{"type":"about:blank","detail":"no steps today"}"#] {
            let server = try await RawServer(answer: answer("422 Unprocessable Content", body))
            #expect(
                try await send(to: server) == .bisect(reason: "the server returned 422: no steps today", status: 422))
        }
    }

    @Test("Impossible counts make a response unreadable and do not overflow")
    func absurdCounts() async throws {
        let body = #"{"received":2,"created":9223372036854775807,"updated":9223372036854775807}"#
        guard case .unknown = try await send(to: try await RawServer(answer: answer("200 OK", body))) else {
            Issue.record("impossible counts were accepted")
            return
        }
    }

    @Test("Unreadable capabilities are unknown; a rejected token pauses")
    func capabilities() async throws {
        for body in ["<html>", "{}", #"{"batch":{}}"#, #"{"batch":{"steps":0}}"#, #"{"batch":{"steps":"x"}}"#] {
            let server = try await RawServer(answer: answer("200 OK", body))
            guard case .failed(.unknown) = try await Senders.sender(to: server.address).capabilities() else {
                Issue.record("\(body) was read as capabilities")
                continue
            }
        }
        let rejecting = try await RawServer(
            answer: answer("401 Unauthorized", "", fields: "WWW-Authenticate: Basic\r\n"))
        guard case .failed(.pause(_, 401)) = try await Senders.sender(to: rejecting.address).capabilities() else {
            Issue.record("a rejected token does not pause")
            return
        }
    }

    @Test(
        "Invalid addresses are rejected",
        arguments: [
            "", "example.org:80:80", "ftp://example.org", "file:///etc/passwd", "https://u:p@example.org", "http://",
            "https://example.org/?a=b", "https://example.org/#x", "https://exa mple.org",
        ])
    func addresses(text: String) {
        #expect(throws: SyncFailure.self) { try ServerAddress(text) }
    }

    @Test("An address is normalized")
    func oneForm() throws {
        #expect(try ServerAddress("HTTPS://example.org//").text == "https://example.org")
        #expect(try ServerAddress("http://[::1]:8080/health/").text == "http://[::1]:8080/health")
    }

    @Test("A token cannot inject a header field", arguments: ["a\r\nHost: b", "", "a b", "ü"])
    func tokens(token: String) throws {
        let address = try ServerAddress("https://example.org")
        #expect(throws: SyncFailure.self) { try HTTPOutboxSettings(address: address, token: token, profile: "p") }
    }
}
