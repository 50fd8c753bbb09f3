import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Runs on the Sync page")
struct RunPagesTests {
    private static let day = CalendarDay(ordinal: 19_797)  // 2024-03-15

    private let life: Life

    init() throws { life = try Life(today: Self.day) }

    private func checkedPage() async throws -> PageCheck.Verdict {
        let verdict = try await PageCheck.verdicts(["sync": try await life.page("/view/sync")])["sync"]
        let page = try #require(verdict)
        #expect(page.problems == [])
        return page
    }

    /// A run that began `seconds` ago.
    private func begin(_ command: RunCommand = .daily, seconds: Int64, days: DayRange? = nil) async throws -> Int64 {
        try await life.stores.runs.begin(
            command, at: life.now.advanced(bySeconds: -seconds), days: days, keeping: 1_000)
    }

    private func end(_ id: Int64, _ ending: RunEnding, _ failures: [SyncFailure] = []) async throws {
        var account = RunTotals()
        (account.reading.sources, account.reading.records, account.reading.stored) = (1, 758_570, 12_345)
        (account.reading.alreadyKnown, account.reading.deleted) = (746_225, 6)
        account.metrics = [.steps: .synced(days: 7, records: 3), .sleep: .synced(days: 9, records: 4)]
        var delivery = RunTotals.Delivery()
        (delivery.delivered, delivery.rejected, delivery.left) = (9, 1, 2)
        account.delivery = delivery
        try await life.stores.runs.end(
            id, RunEnd(at: life.now, ending: ending, account: account, failures: failures), days: nil)
    }

    @Test("Without any run the page reports that")
    func none() async throws {
        let verdict = try await checkedPage()
        #expect(verdict.text.contains("No run is in progress.") && verdict.text.contains("Last runsNothing yet."))
        #expect(!verdict.text.contains("Current run"))
    }

    @Test("A run is listed with its figures")
    func one() async throws {
        try await end(
            begin(.historical, seconds: 90, days: DayRange(Self.day).widened(before: 9, after: 0)), .completed)
        let verdict = try await checkedPage()
        #expect(verdict.text.contains("No run is in progress; the last one, historical, completed."))
        #expect(
            verdict.text.contains(
                "15 Mar 2024 11:58 1 min 30 shistorical 6 Mar 2024 to 15 Mar 2024completed758,57012,3456"))
        // The first four are the counts of the server.
        #expect(verdict.data.dropFirst(4).prefix(8) == ["90", "758570", "12345", "6", "7", "9", "1", "2"])
    }

    @Test("Of hundreds of runs the last fifty are shown, and the page stays small")
    func hundreds() async throws {
        let failure = SyncFailure(
            .badInput, subject: String(repeating: "s", count: 500), reason: String(repeating: "r", count: 500),
            advice: "look")
        for number in 0..<300 {
            try await end(
                begin(seconds: Int64(400 - number)), .completedWithFailures, [failure, failure, failure, failure])
        }
        let verdict = try await checkedPage()
        #expect(verdict.text.contains("The last 50 runs") && verdict.text.contains("and 1 more"))
        #expect(verdict.data.filter { $0 == "758570" }.count == 50)
        #expect(try await life.page("/view/sync").utf8.count < 200_000)
    }

    @Test(
        "The texts of a failure are shown as text, never as markup",
        arguments: ["<script>alert(1)</script>", "\"><img src=x>", "a\u{0}b"])
    func hostile(name: String) async throws {
        let failure = SyncFailure(
            SyncFailure.Code(rawValue: name), subject: name, reason: "of \(name)", advice: name)
        let id = try await begin(RunCommand(rawValue: name), seconds: 5)
        try await end(id, .failed, [failure])
        let shown = name.replacing("\u{0}", with: "\u{FFFD}")
        let verdict = try await checkedPage()
        #expect(verdict.text.contains("failed \(shown): of \(shown)758,570"))
        #expect(verdict.text.contains("the last one, \(shown), failed."))
    }

    @Test("The current run is shown with its progress, and not in the list of finished runs")
    func current() async throws {
        try await end(begin(seconds: 500), .completed)
        _ = try await begin(.historical, seconds: 42)
        let phases = [
            RunProgress.Phase(name: "reading /home/<b>/export.zip", done: 1_234, total: 10_000),
            RunProgress.Phase(name: "sending samples", done: 77, total: nil, detail: "3 of 9 intervals"),
        ]
        life.stores.runWatch.set(
            ActiveRun(
                since: life.now.advanced(bySeconds: -43), progress: RunProgress(updatedAt: life.now, phases: phases)))
        let verdict = try await checkedPage()
        #expect(
            verdict.text.contains("historical is in progress.Current runhistorical, since 15 Mar 2024 11:59 (42 s)"))
        #expect(verdict.text.contains("reading /home/<b>/export.zip: 1,234 of 10,000"))
        #expect(verdict.text.contains("sending samples, 3 of 9 intervals: 77"))
        #expect(verdict.data.prefix(3) == ["1234", "10000", "77"])
        #expect(verdict.text.contains("The last run"))
        let html = try await life.page("/view/sync")
        #expect(html.contains(#"<progress id="phase-0" max="100" value="12"></progress>"#))
        #expect(html.contains(#"<progress id="phase-1"></progress>"#))
    }

    @Test("A run whose process no longer exists was cut off; its figures are unknown")
    func cutOff() async throws {
        _ = try await begin(.historical, seconds: 42)
        let verdict = try await checkedPage()
        #expect(verdict.text.contains("the last one, historical, was cut off."))
        #expect(verdict.data.allSatisfy { $0 == "0" })
        #expect(!verdict.text.contains("Current run"))
    }
}
