import Foundation
import HealthSyncDomain
import HealthSyncReceiver
import HealthSyncTestKit
import Testing

/// The inboxes of a receiving server.
@Suite struct UserInboxTests {
    private static let phone = UserName("phone")

    private static func bearer(_ token: String, _ more: [String: String] = [:]) -> [String: String] {
        more.merging(["Authorization": "Bearer \(token)"]) { first, _ in first }
    }

    private static func ids(_ answer: Answer) throws -> [String] {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        return try #require(object["posts"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    @Test func aPostWaitsUntilItIsConfirmed() async throws {
        try await ServerUnderTest.run { server in
            let device = try await server.token("anna", [], device: Self.phone)
            let anna = Self.bearer(try await server.token("anna", [.inbox]))
            let path = "/inbox/device/\(device)/stub/x?a=b"
            let answer = try await server.send("POST", path, "body", headers: ["X-Kind": "k"])
            #expect(answer.status == 202)
            let id = try #require(try Self.ids(await server.send("GET", "/api/v1/inbox/posts", headers: anna)).first)
            let post = try await server.send("GET", "/api/v1/inbox/posts/\(id)", headers: anna)
            let parts = post.body.split(separator: 0x0A, maxSplits: 1)
            #expect(post.status == 200 && parts.count == 2 && Array(parts[1]) == Array("body".utf8))
            let head = try #require(try JSONSerialization.jsonObject(with: Data(parts[0])) as? [String: Any])
            #expect(head["path"] as? [String] == ["stub", "x"])
            #expect(head["device"] as? String == "phone")
            #expect(!String(decoding: post.body, as: UTF8.self).contains(device))
            for _ in 0..<2 {
                let confirmed = try await server.send("DELETE", "/api/v1/inbox/posts?ids=\(id)", headers: anna)
                #expect(confirmed.status == 200)
            }
            #expect(try Self.ids(await server.send("GET", "/api/v1/inbox/posts", headers: anna)) == [])
            #expect(try await server.send("GET", "/api/v1/inbox/posts/\(id)", headers: anna).status == 404)
        }
    }

    @Test func aListHasPagesAndEndsAfterTheLastPost() async throws {
        try await ServerUnderTest.run { server in
            let device = Self.bearer(try await server.token("anna", [], device: Self.phone))
            let anna = Self.bearer(try await server.token("anna", [.inbox]))
            for number in 0..<5 { _ = try await server.send("POST", "/inbox", "\(number)", headers: device) }
            var found: [String] = []
            while true {
                let after = found.last.map { "&after=\($0)" } ?? ""
                let page = try Self.ids(
                    await server.send("GET", "/api/v1/inbox/posts?limit=2\(after)", headers: anna))
                guard !page.isEmpty else { break }
                found += page
            }
            #expect(found.count == 5 && found == found.sorted())
            for query in ["limit=0", "limit=101", "limit=x"] {
                #expect(try await server.send("GET", "/api/v1/inbox/posts?\(query)", headers: anna).status == 400)
            }
            for query in ["", "?ids=", "?ids=" + Array(repeating: "x", count: 101).joined(separator: ",")] {
                #expect(try await server.send("DELETE", "/api/v1/inbox/posts\(query)", headers: anna).status == 400)
            }
            let hostile = "..%2F..%2Fbert%2Fwaiting%2F\(found[0])"
            #expect(try await server.send("GET", "/api/v1/inbox/posts/\(hostile)", headers: anna).status == 404)
            #expect(
                try await server.send("DELETE", "/api/v1/inbox/posts?ids=\(hostile)", headers: anna).status == 200)
            #expect(try Self.ids(await server.send("GET", "/api/v1/inbox/posts", headers: anna)) == found)
        }
    }

    @Test func aRequestThatWaitsIsAnsweredWhenAPostArrives() async throws {
        let time = SteppedTime()
        try await ServerUnderTest.run(time: time) { server in
            let device = Self.bearer(try await server.token("anna", [], device: Self.phone))
            let anna = Self.bearer(try await server.token("anna", [.inbox]), ["Prefer": "respond-async, wait=20"])
            async let waiting = server.send("GET", "/api/v1/inbox/posts", headers: anna)
            // The clock does not move, so only the post ends the wait.
            let posted = try await server.send("POST", "/inbox", "body", headers: device)
            #expect(posted.status == 200)
            #expect(try Self.ids(await waiting).count == 1)
        }
    }

    @Test func aServerThatStopsEndsRequestsThatWait() async throws {
        let time = SteppedTime()
        let inboxes = UserInboxes.empty()
        try await ServerUnderTest.run(time: time, inboxes: inboxes) { server in
            let anna = Self.bearer(try await server.token("anna", [.inbox]), ["Prefer": "wait=20"])
            async let waiting = server.send("GET", "/api/v1/inbox/posts", headers: anna)
            inboxes.endWaits()
            #expect(try Self.ids(await waiting) == [])
        }
    }

    @Test func postsThatAreReceivedCountInTheQuota() async throws {
        try await ServerUnderTest.run(inboxes: .empty(quota: 100_000)) { server in
            let device = Self.bearer(try await server.token("anna", [], device: Self.phone))
            let other = Self.bearer(try await server.token("bert", [], device: Self.phone))
            let anna = Self.bearer(try await server.token("anna", [.inbox]))
            let large = String(repeating: "x", count: 60_000)
            for expected in [200, 507, 507] {
                #expect(try await server.send("POST", "/inbox", large, headers: device).status == expected)
            }
            #expect(try await server.send("POST", "/inbox", large, headers: other).status == 200)
            let ids = try Self.ids(await server.send("GET", "/api/v1/inbox/posts", headers: anna))
            #expect(ids.count == 1)
            _ = try await server.send("DELETE", "/api/v1/inbox/posts?ids=\(ids[0])", headers: anna)
            #expect(try await server.send("POST", "/inbox", large, headers: device).status == 200)
            // Empty posts take space, too.
            var accepted = 0
            while try await server.send("POST", "/inbox", "", headers: device).status == 200 { accepted += 1 }
            #expect((5...10).contains(accepted))
        }
    }
}
