import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Pages of a server")
struct ReceivedPagesTests {
    private static func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    private static let own = ["/view/synced-steps", "/view/tokens"]

    @Test("Without data they are valid and report that nothing was received")
    func empty() async throws {
        let received = try ReceivedLife(today: Self.day("2024-03-15"))
        var pages: [String: String] = [:]
        for (index, address) in Self.own.enumerated() { pages["\(index)"] = try await received.html(address) }
        let verdicts = try await PageCheck.verdicts(pages)
        for verdict in verdicts.values { #expect(verdict.problems == []) }
        #expect(verdicts["0"]?.text.contains("No step samples were received yet") == true)
        #expect(verdicts["1"]?.text.contains("requires none on this machine") == true)
    }

    @Test("Samples are counted by device and each is listed once, a hundred per page")
    func samples() async throws {
        let day = try Self.day("2024-03-15")
        let received = try ReceivedLife(today: day)
        try await received.walk(day.advanced(by: -3), count: 5, device: "Old")
        try await received.walk(day, count: 230, device: "Anna’s Watch")
        try await received.walk(day, count: 20, device: nil)
        try await received.walk(day, count: 9, device: "Ben’s", user: try #require(UserName("ben")))
        var pages: [String: String] = [:]
        for (name, query) in [
            ("first", ""), ("third", "page=3"), ("beyond", "page=99"), ("watch", "device=Anna’s Watch"),
            ("nobody", "device=x"), ("gap", "day=2024-03-13"), ("old", "day=2024-03-12"),
        ] {
            pages[name] = try await received.html("/view/synced-steps?\(query)")
        }
        let verdicts = try await PageCheck.verdicts(pages)
        for (name, verdict) in verdicts { #expect(verdict.problems == [], "\(name)") }
        let totals = ["230", "2300", "20", "200", "250", "2500"]
        #expect(verdicts["first"]?.data == totals + [String](repeating: "10", count: 100))
        #expect(verdicts["third"]?.data == totals + [String](repeating: "10", count: 50))
        #expect(verdicts["beyond"]?.data == verdicts["third"]?.data)
        #expect(verdicts["watch"]?.text.contains("1 to 100 of 230") == true)
        #expect(
            verdicts["watch"]?.links.contains("/view/synced-steps?day=2024-03-15&device=Anna%E2%80%99s%20Watch&page=2")
                == true)
        #expect(verdicts["nobody"]?.data == totals)
        #expect(verdicts["gap"]?.text.contains("No step samples of 13 Mar 2024") == true)
        #expect(verdicts["old"]?.data == ["5", "50", "5", "50"] + [String](repeating: "10", count: 5))
    }

    @Test("A page of long and unusual names is valid and smaller than 200 kB")
    func names() async throws {
        let day = try Self.day("2024-03-15")
        let received = try ReceivedLife(today: day)
        for (index, name) in ["<script>alert(1)</script>", "\"'&", String(repeating: "👩🏽‍🦼", count: 50)].enumerated() {
            try await received.walk(day, count: 40 + index, device: name)
        }
        let html = try await received.html("/view/synced-steps")
        #expect(html.utf8.count < 200_000)
        #expect(try await PageCheck.verdicts(["page": html])["page"]?.problems == [])
    }

    @Test("Pages without figures report the received samples, with their days and a link")
    func samplesAlone() async throws {
        let day = try Self.day("2024-03-15")
        let received = try ReceivedLife(today: day)
        func text(_ address: String) async throws -> (text: String, links: [String]) {
            let verdict = try #require(
                try await PageCheck.verdicts(["page": try await received.html(address)])["page"])
            #expect(verdict.problems == [], "\(address)")
            return (verdict.text, verdict.links)
        }
        #expect(try await !text("/").text.contains("step sample"))
        try await received.walk(day.advanced(by: -3), count: 5, device: "Old")
        try await received.walk(day.advanced(by: -1), count: 1_230, device: "Watch")
        try await received.walk(day, count: 7, device: "Ben’s", user: try #require(UserName("ben")))
        let all = "1,235 step samples of Tue 12 Mar 2024 to Thu 14 Mar 2024"
        for (address, expected, day) in [
            ("/", all, "14"), ("/view/steps", all, "14"), ("/view/steps?by=day", all, "14"),
            ("/view/steps?by=hour&day=2024-03-12", "5 step samples of Tue 12 Mar 2024", "12"),
            ("/view/steps?by=hour&day=2024-03-13", all, "14"),
            ("/view/steps?by=day&day=2024-03-13", "5 step samples of Tue 12 Mar 2024 to Wed 13 Mar 2024", "13"),
        ] {
            let page = try await text(address)
            #expect(page.text.contains(expected), "\(address): \(page.text)")
            #expect(page.links.contains("/view/synced-steps?day=2024-03-\(day)"), "\(address): \(page.links)")
            #expect(!page.text.contains("Nothing is recorded yet"))
        }
        try await received.life.walk(day)
        #expect(try await !text("/").text.contains("step sample"))
        #expect(try await !text("/view/steps").text.contains("step sample"))
        #expect(try await text("/view/steps?day=2024-03-12&by=hour").text.contains("5 step samples of Tue 12 Mar 2024"))
        #expect(try await !text("/view/steps?day=2024-03-13&by=hour").text.contains("step sample"))
    }

    @Test("A new token has the chosen scopes and expiry, is shown once, and can be revoked")
    func tokens() async throws {
        let received = try ReceivedLife(today: Self.day("2024-03-15"))
        let made = await received.answer(
            "/view/tokens/create",
            form: [
                WebField("scope", "read"), WebField("scope", "ingest"), WebField("expires", "2024-03-20"),
                WebField("name", " Anna’s <laptop> "),
            ])
        guard case .text(let html, _) = made.content else { throw ContractViolation("no page") }
        let text = try #require(html.split(separator: "\"token\">").last?.prefix(85))
        let token = try #require(AccessTokenText(text))
        let stored = try #require(try await received.tokens.token(id: token.id))
        #expect(stored.scopes == [.read, .ingest] && stored.user == .local)
        #expect(stored.expiresAt == RFC3339.instant("2024-03-21T00:00:00Z"))
        let list = try await received.html("/view/tokens")
        #expect(list.contains(token.id) && !list.contains(text.suffix(64)))
        #expect(stored.name?.text == "Anna’s <laptop>" && list.contains("Anna’s &lt;laptop&gt;"))
        let asked = await received.answer("/view/tokens/revoke", form: [WebField("id", token.id)])
        guard case .text(let question, _) = asked.content else { throw ContractViolation("no question") }
        #expect(try await received.tokens.token(id: token.id)?.revokedAt == nil)
        let revoked = await received.answer(
            "/view/tokens/revoke", form: [WebField("id", token.id), WebField("confirmed", token.id)])
        #expect(revoked == .seeOther("/view/tokens"))
        #expect(try await received.tokens.token(id: token.id)?.revokedAt == received.life.now)
        let verdict = try await PageCheck.verdicts(["made": html, "list": list, "question": question])
        #expect(verdict.values.allSatisfy { $0.problems == [] })
        #expect(verdict["question"]?.text.contains("Revoke Anna’s <laptop>?") == true)
        for name in ["a,b", String(repeating: "x", count: 65), "a\u{7}"] {
            let form = [WebField("scope", "read"), WebField("name", name)]
            #expect(await received.answer("/view/tokens/create", form: form).status == 400)
        }
    }

    @Test("The token of the login is marked, and its revocation warns of the logout and of the tokens it created")
    func thisOne() async throws {
        let received = try ReceivedLife(today: Self.day("2024-03-15"))
        var (parent, child) = (
            AccessToken(
                id: "00000000000000aa", secretDigest: [1], user: .local, scopes: [.admin],
                createdAt: received.life.now),
            AccessToken(
                id: "00000000000000ab", secretDigest: [2], user: .local, scopes: [.admin],
                createdAt: received.life.now)
        )
        parent.name = TokenName("Main")
        child.parentID = parent.id
        for token in [parent, child] { try await received.tokens.add(token) }
        let page = await received.answer("/view/tokens", token: parent.id)
        let form = [WebField("id", parent.id)]
        let asked = await received.answer("/view/tokens/revoke", form: form, token: parent.id)
        guard case .text(let list, _) = page.content, case .text(let question, _) = asked.content else {
            throw ContractViolation("no page")
        }
        let verdict = try await PageCheck.verdicts(["list": list, "question": question])
        #expect(verdict["list"]?.text.contains("Main this one 00000000000000aa") == true)
        #expect(list.split(separator: "this one").count == 2)
        #expect(verdict["question"]?.text.contains("this logs you out.1 token that was created with it") == true)
    }

    @Test("A phone is paired with a token that can only deliver, and the table lists it")
    func phones() async throws {
        let received = try ReceivedLife(today: Self.day("2024-03-15"))
        let made = await received.answer("/view/tokens/pair", form: [WebField("device", "anna-phone")])
        guard case .text(let html, _) = made.content else { throw ContractViolation("no page") }
        let text = try #require(html.split(separator: "\"token\">").last?.prefix(85))
        let id = try #require(AccessTokenText(text)?.id)
        let stored = try #require(try await received.tokens.token(id: id))
        #expect(stored.scopes.isEmpty && stored.device?.text == "anna-phone" && stored.user == .local)
        #expect(html.contains(HexDigits.text(stored.secretDigest)))
        for (form, scopes, status) in [
            ([WebField("device", "anna-phone")], [.admin], 400), ([WebField("device", "Anna's")], [.admin], 400),
            ([], [.admin], 400), ([WebField("device", "tablet")], [.read, .ingest, .inbox], 403),
        ] as [([WebField], Set<AccessScope>, Int)] {
            #expect(await received.answer("/view/tokens/pair", form: form, scopes: scopes).status == status)
        }
        #expect(try await received.tokens.tokens().count == 1)
        let list = try await received.html("/view/tokens")
        #expect(list.contains("phone anna-phone") && !list.contains(text.suffix(64)))
        let verdict = try await PageCheck.verdicts(["made": html, "list": list])
        #expect(verdict["made"]?.problems == [] && verdict["list"]?.problems == [])
    }

    @Test("Changing tokens requires admin, and is limited to the user's own tokens and scopes")
    func limits() async throws {
        let received = try ReceivedLife(today: Self.day("2024-03-15"))
        let anna = try #require(UserName("anna"))
        try await received.tokens.add(
            AccessToken(
                id: "00000000000000aa", secretDigest: [], user: anna, scopes: [.read], createdAt: received.life.now))
        let read = [WebField("scope", "read")]
        for (form, scopes, status) in [
            (read, [.read], 403), (read + [WebField("scope", "delete")], [.read, .admin], 403), ([], [.admin], 400),
            (read + [WebField("expires", "2024-03-14")], [.read, .admin], 400),
            (read + [WebField("expires", "soon")], [.read, .admin], 400),
            (read + [WebField("expires", "9999-12-31")], [.read, .admin], 400),
        ] as [([WebField], Set<AccessScope>, Int)] {
            #expect(await received.answer("/view/tokens/create", form: form, scopes: scopes).status == status)
        }
        let id = [WebField("id", "00000000000000aa")]
        #expect(await received.answer("/view/tokens/revoke", form: id).status == 400, "another user's")
        #expect(await received.answer("/view/tokens/revoke", form: id, scopes: [.read], user: anna).status == 403)
        #expect(try await received.tokens.tokens().allSatisfy { $0.revokedAt == nil })
        #expect(try await received.tokens.tokens().count == 1)
        let own = try await received.html("/view/tokens")
        #expect(!own.contains("00000000000000aa"))
        let page = try await received.html("/view/tokens", scopes: [.read])
        #expect(!page.contains("<form method=\"post\" action=\"/view/tokens"))
    }

    @Test("Without admin the page shows the token of the login only")
    func listWithoutAdmin() async throws {
        let received = try ReceivedLife(today: Self.day("2024-03-15"))
        for number in 1...9 {
            var token = AccessToken(
                id: "00000000000000a\(number)", secretDigest: [], user: .local,
                scopes: number == 1 ? [.read] : [.admin],
                createdAt: received.life.now)
            if number == 9 { (token.device, token.scopes) = (UserName("phone"), []) }
            token.name = TokenName("name\(number)")
            token.parentID = number == 3 ? "00000000000000a1" : nil
            try await received.tokens.add(token)
        }
        for scopes in [[.read], [.read, .ingest, .delete, .inbox]] as [Set<AccessScope>] {
            for token in ["00000000000000a1", nil] {
                let answer = await received.answer("/view/tokens", scopes: scopes, token: token)
                guard case .text(let page, _) = answer.content else { throw ContractViolation("no page") }
                #expect(page.contains("00000000000000a1") == (token != nil))
                for number in 2...9 {
                    #expect(!page.contains("00000000000000a\(number)") && !page.contains("name\(number)"))
                }
            }
        }
        let all = try await received.html("/view/tokens")
        for number in 1...9 { #expect(all.contains("00000000000000a\(number)")) }
    }
}
