import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Verdict and buttons of the Sync page")
struct DeliveryPagesTests {
    private static let day = CalendarDay(ordinal: 19_797)  // 2024-03-15

    private let life: Life

    init() throws { life = try Life(today: Self.day) }

    private func page() async throws -> (html: String, text: String) {
        let html = try await life.page("/view/sync")
        let verdict = try #require(try await PageCheck.verdicts(["page": html])["page"])
        #expect(verdict.problems == [])
        return (html, verdict.text)
    }

    @Test("Rejected records are the verdict, with their number and reason")
    func rejected() async throws {
        #expect(try await page().text.contains("Nothing was sent yet."))
        try await life.walk(Self.day)
        #expect(try await page().text.contains("Nothing was sent yet: run healthsync push --all to send every record."))
        _ = try await life.refuse("sleep/1", reason: "no <such> hour")
        let text = try await page().text
        #expect(text.contains("1 item rejected: the server's reason: no <such> hour."), "\(text)")
    }

    @Test("Delivered records and delivered intervals are counted separately")
    func deliveredIntervals() async throws {
        #expect(try await !page().text.contains("Intervals delivered"))
        try await life.stores.pages.changePages {
            try $0.put(
                StoreSamples.page(SampleTypeDefinition.stepCount.type, StoreSamples.watch, day: 9, value: 5),
                provider: "apple", definition: .stepCount, longestSample: 60_000)
        }
        let first = GridInterval(containing: StoreSamples.day(0).utcStart, exponent: 16)
        let intervals = [first, GridInterval(containing: first.end, exponent: 16)]
        var commit = LayeringCommit(type: SampleTypeDefinition.stepCount.type, rule: .steps)
        var figures = IntervalFigures()
        figures.insert(SampleID(high: 1, low: 2), steps: 700)
        commit.intervals = zip(intervals, [figures, IntervalFigures()]).map { SyncInterval(interval: $0, figures: $1) }
        // Nothing is sent of an interval without samples.
        commit.synced = intervals.map { IntervalKey(destination: Life.destination, start: $0.start) }
        _ = try await life.stores.intervals.commit(commit)
        let text = try await page().text
        #expect(text.contains("Record items delivered0") && text.contains("Intervals delivered1"), "\(text)")
    }

    @Test("The UUID of a rejected record is shortened")
    func identifier() async throws {
        _ = try await life.refuse("bf6e616f-c730-55b9-9243-7ba963620128", reason: "no")
        let text = try await page().text
        #expect(text.contains("bf6e616f…") && !text.contains("bf6e616f-c730"), "\(text)")
    }

    @Test("Each button starts its action; Pause and Resume replace each other")
    func buttons() async throws {
        for (name, action) in [
            ("sync", DeliveryAction.sync), ("send", .send), ("pause", .pause), ("resume", .resume), ("verify", .verify),
        ] {
            #expect(await life.post("/view/sync/\(name)", []) == .seeOther("/view/sync"))
            #expect(life.actions.all.last == action)
        }
        var html = try await page().html
        #expect(html.contains("action=\"/view/sync/pause\"") && !html.contains("action=\"/view/sync/resume\""))
        try life.hold.set()
        html = try await page().html
        #expect(!html.contains("action=\"/view/sync/pause\"") && html.contains("action=\"/view/sync/resume\""))
    }

    @Test("Without a configured server only Sync now and Clear are offered")
    func noServer() async throws {
        var home = life.home
        home.server = { nil }
        let repository = life.stores.repository
        let pages = DashboardPages.local(
            DashboardSources(
                repository: { _ in repository }, clock: life.clock, time: ManualTime(life.now), log: CollectedEvents()),
            home: home)
        guard case .text(let html, _) = await pages.answer(Life.request("/view/sync")).content else {
            throw ContractViolation("no page")
        }
        #expect(html.contains("action=\"/view/sync/sync\"") && html.contains("action=\"/view/sync/clear\""))
        for name in ["send", "pause", "resume", "verify"] {
            #expect(!html.contains("action=\"/view/sync/\(name)\""), "\(name)")
        }
    }

    @Test("The outcome of the last action is shown as text, and while it is in progress no other starts")
    func outcome() async throws {
        var started = StartedAction(.send, at: life.now)
        started.outcome = "3 <delivered>"
        life.actions.show(started)
        #expect(try await page().text.contains("Send ended 15 Mar 2024 12:00: 3 <delivered>"))
        started.outcome = nil
        life.actions.show(started)
        #expect(try await page().text.contains("Send is in progress since 15 Mar 2024 12:00"))
        let answer = await life.post("/view/sync/verify", [])
        #expect(answer.status == 409 && life.actions.all == [])
    }

    @Test("Clearing asks first, and the answer counts only for the server that the question named")
    func clear() async throws {
        guard case .text(let html, _) = await life.post("/view/sync/clear", []).content else {
            throw ContractViolation("no page")
        }
        let verdict = try #require(try await PageCheck.verdicts(["page": html])["page"])
        #expect(verdict.problems == [] && verdict.text.contains("all raw steps on \(Life.destination)"))
        for form in [
            [("what", "clear-server")], [("what", "clear-server"), ("confirmed", "https://other.example")],
            [("what", "send"), ("confirmed", Life.destination)], [("confirmed", Life.destination)],
        ] {
            #expect(await life.post("/view/sync/clear", form).status == 200)
        }
        #expect(life.actions.all == [])
        for action in [DeliveryAction.clearIntervals, .clearServer] {
            let form = [("what", action.rawValue), ("confirmed", Life.destination)]
            #expect(await life.post("/view/sync/clear", form) == .seeOther("/view/sync"))
        }
        #expect(life.actions.all == [.clearIntervals, .clearServer])
    }

    @Test("Rejected records that are sent again are sent at once, unless another action is in progress")
    func again() async throws {
        _ = try await life.refuse("sleep/1", reason: "no")
        #expect(await life.post("/view/sync/retry", [("all", "yes")]) == .seeOther("/view/sync"))
        #expect(life.actions.all == [.send])
        _ = try await life.refuse("sleep/2", reason: "no")
        life.actions.show(StartedAction(.verify, at: life.now))
        #expect(await life.post("/view/sync/retry", [("all", "yes")]) == .seeOther("/view/sync"))
        #expect(life.actions.all == [.send])
        #expect(try await life.stores.outbox.counts(destination: Life.destination)[.dead] ?? 0 == 0)
    }
}
