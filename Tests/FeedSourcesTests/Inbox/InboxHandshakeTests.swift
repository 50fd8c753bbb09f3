import Foundation
import HealthSyncDomain
import HealthSyncPorts
import Testing

@Suite struct InboxHandshakeTests {
    private func handshake(_ post: InboxPost) -> InboxHandshake? {
        Post.all.lazy.compactMap { $0.handshake(post.head, body: post.body[...]) }.first
    }

    private func object(_ answer: InboxAnswer) throws -> [String: String] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: String])
    }

    @Test func hozzFindsTheReceiver() throws {
        guard case .open(let answer) = handshake(try Post.make([], method: "GET", "")) else {
            Issue.record("no open answer")
            return
        }
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"service":"hozz-receiver","ready":true}"#)
        #expect(answer.status == 200)
    }

    @Test func theStepAppFindsTheServer() throws {
        guard case .open(let answer) = handshake(try Post.make(["health"], method: "GET", "")) else {
            Issue.record("no open answer")
            return
        }
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":"ok"}"#)
    }

    @Test func hozzPairs() throws {
        let post = try Post.make(["pair"], #"{"device":"Brandon’s iPhone"}"#)
        guard case .pairing(let device, let answer, let rejection) = handshake(post) else {
            Issue.record("no pairing")
            return
        }
        #expect(device == "Brandon’s iPhone")
        #expect(try object(answer("secret", "my \"server\"")) == ["token": "secret", "name": "my \"server\""])
        #expect(rejection("no pairing is open").status == 403)
        #expect(try object(rejection("no pairing is open")) == ["detail": "no pairing is open"])
    }

    @Test(arguments: ["", "/path"]) func hozzTestsTheConnection(_ path: String) throws {
        let path = path.split(separator: "/").map(String.init)
        let post = try Post.make(path, #"{"kind":"hozzConnectionTest","schemaVersion":1}"# + "\n")
        guard case .paired(let answer) = handshake(post) else {
            Issue.record("no answer for paired devices")
            return
        }
        #expect(answer.status == 200)
    }

    @Test(arguments: [("login", 201), ("refresh", 200)]) func hcGatewayLogsIn(_ path: String, _ status: Int) throws {
        let post = try Post.make(
            ["api", "v2", path], #"{"username":"anna","password":"secret","refresh":"secret","fcmToken":null}"#)
        guard case .login(let token, let answer) = handshake(post) else {
            Issue.record("no login")
            return
        }
        #expect(token == "secret")
        #expect(answer("secret", "phone").status == status)
        let members = try object(answer("secret", "phone"))
        #expect(members["token"] == "secret" && members["refresh"] == "secret" && members["expiry"] != nil)
    }

    @Test func answersAreThoseThatTheAppsExpect() async throws {
        let gateway = try InboxPosts.hcGateway()
        #expect(try await Post.answer(gateway) == InboxAnswer(json: #"{"success":true}"#))
        let sdk = try InboxPosts.openWearables()
        #expect(try await Post.answer(sdk).status == 202)
        let deletion = try Post.make(["steps"], method: "DELETE", "")
        #expect(
            try await Post.answer(deletion)
                == InboxAnswer(json: #"{"message":"All steps deleted successfully"}"#))
    }

    @Test func theAnswerToTheStepAppCountsTheSamplesThatAreNotRejected() async throws {
        func sample(_ count: String) -> String {
            #"{"uuid":"550E8400-E29B-41D4-A716-446655440000","startDate":"2024-01-15T08:00:00Z","#
                + #""endDate":"2024-01-15T09:00:00Z","count":\#(count),"sourceBundleId":"com.apple.health"}"#
        }
        for (body, answer) in [
            (#"{"samples":[]}"#, #"{"saved":0,"message":"Success"}"#),
            (#"{"samples":[\#(sample("12"))]}"#, #"{"saved":1,"message":"Success"}"#),
            (#"{"samples":[\#(sample("12")),\#(sample("-1")),7]}"#, #"{"saved":1,"message":"Success"}"#),
            (#"{"samples":{}}"#, #"{"message":"Success"}"#), ("[", #"{"message":"Success"}"#),
        ] { #expect(try await Post.answer(try Post.make(["steps"], body)) == InboxAnswer(json: answer)) }
    }

    @Test func otherRequestsAreNoHandshakes() throws {
        for post in [
            try Post.make(["api", "v2", "login"], "{}"), try Post.make(["api", "v2", "login"], "[1"),
            try Post.make(["pair"], "{}"), try Post.make(["index.html"], method: "GET", ""),
            try Post.make(["pair"], method: "PUT", #"{"device":"d"}"#),
        ] { #expect(handshake(post) == nil, "\(post.head.path)") }
    }
}
