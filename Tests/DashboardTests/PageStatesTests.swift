import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Pages in every state of the data")
struct PageStatesTests {
    private static func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    @Test("Without data, every page is valid and reports that nothing is recorded")
    func empty() async throws {
        let verdicts = try await PageCheck.verdicts(try Life(today: Self.day("2024-03-15")).allPages())
        for (name, verdict) in verdicts {
            #expect(verdict.problems == [], "\(name)")
            #expect(
                [
                    "Nothing is recorded yet", "No nights were", "No sleep was", "No records of steps",
                    "No records of this metric",
                    "No records of heart rate",
                    "Add shoes", "Nothing yet", "No intervals yet", "No phone is paired yet",
                ].contains { verdict.text.contains($0) }, "\(name): \(verdict.text)")
        }
        #expect(verdicts.count == Life.addresses.count)
    }

    @Test("A single day is shown on every page")
    func oneDay() async throws {
        let day = try Self.day("2024-03-15")
        let life = try Life(today: day)
        try await life.walk(day)
        try await life.sleep(day)
        let verdicts = try await PageCheck.verdicts(life.allPages())
        for (name, verdict) in verdicts { #expect(verdict.problems == [], "\(name)") }
        let total = (0..<24).reduce(0) { $0 + 100 + $1 }
        for address in ["_", "_view_steps~by=hour", "_view_steps~by=year"] {
            #expect(verdicts[address]?.data.contains("\(total)") == true, "\(address)")
        }
        #expect(verdicts["_view_heart~by=month"]?.data.contains("141.5") == true)
        #expect(verdicts["_view_sleep~last=1d"]?.data.prefix(3) == ["420", "480", "87.5"])
    }

    @Test("Days of 23 and 25 hours show all their hours", arguments: [("2024-03-31", 23), ("2024-10-27", 25)])
    func clockChanges(text: String, hours: Int) async throws {
        let day = try Self.day(text)
        let life = try Life(today: day)
        try await life.walk(day)
        let verdict = try #require(
            try await PageCheck.verdicts(["page": try await life.page("/view/steps?by=hour")])["page"])
        #expect(verdict.problems == [])
        let total = (0..<hours).reduce(0) { $0 + 100 + $1 }
        // The last five are the records: highest and lowest day, the streak and its bound, and the days without a gap.
        let shown = ["\(total)"] + (0..<hours).map { "\(100 + $0)" } + ["\(total)", "7", "\(total)"]
        #expect(verdict.data == shown + ["\(total)", "\(total)", "1", "\(total)", "1"])
        #expect(verdict.text.contains("\(hours) hours") == false)
        // The labels of the repeated hour in autumn include the offset.
        #expect(verdict.text.contains("02:00 +02:00") == (hours == 25))
        #expect(verdict.text.contains("02:00 +01:00") == (hours == 25))
    }

    @Test("A night without stages shows its totals and no stages")
    func sumsOnly() async throws {
        let day = try Self.day("2024-03-15")
        let life = try Life(today: day)
        try await life.sleep(day, staged: false)
        let pages = try await PageCheck.verdicts([
            "night": try await life.page("/view/sleep?last=1d"), "week": try await life.page("/view/sleep"),
        ])
        let night = try #require(pages["night"])
        #expect(night.problems == [] && pages["week"]?.problems == [])
        #expect(night.text.contains("provides only the total time of each stage"))
        #expect(night.data == ["420", "480", "87.5", "420", "87.5"])
        #expect(pages["week"]?.text.contains("Deep") == false)
    }

    @Test(
        "Names are shown as text, never as markup",
        arguments: [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "Anna’s 👩🏽‍🦼 Watch", "a\u{0}b\u{1B}[2J",
            String(repeating: "ж", count: 200), "&lt;b&gt;", "' onmouseover='x",
            "\u{202E}gnihctaw \u{2066}era ew",
        ])
    func names(name: String) async throws {
        let day = try Self.day("2024-03-15")
        let life = try Life(today: day)
        try await life.walk(day, source: name)
        try await life.sleep(day, source: name)
        let shown = String(
            name.unicodeScalars.map {
                $0.value < 0x20 || (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
                    ? "\u{FFFD}" : Character($0)
            }
        ).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let pages = try await PageCheck.verdicts(life.allPages())
        for (page, verdict) in pages { #expect(verdict.problems == [], "\(page)") }
        for address in ["_view_steps~by=hour", "_view_steps~by=week", "_view_sleep~last=1d"] {
            let text = try #require(pages[address]?.text)
            #expect(text.unicodeScalars.elementsEqual(text.unicodeScalars) && text.contains(shown), "\(address)")
        }
    }

    @Test("With ten years of data every page is smaller than 200 kB")
    func tenYears() async throws {
        let today = try Self.day("2024-12-31")
        let life = try Life(today: today)
        for offset in 0..<3_653 {
            try await life.walk(today.advanced(by: -offset), source: "Anna’s Apple Watch Series \(offset / 400)")
            try await life.sleep(today.advanced(by: -offset))
        }
        for (name, html) in try await life.allPages() { #expect(html.utf8.count < 200_000, "\(name)") }
    }

    @Test("Numbers are formatted in the language of the reader")
    func languages() async throws {
        let day = try Self.day("2024-03-15")
        let life = try Life(today: day)
        try await life.walk(day)
        for (language, expected) in [
            ("en-GB,en;q=0.9", "2,676"), ("de", "2.676"), ("fr-FR", "2\u{202F}676"), ("xx,de-CH;q=0.5", "2’676"),
            ("", "2,676"),
        ] {
            #expect(try await life.page("/view/steps", language: language).contains(">\(expected)<"), "\(language)")
        }
    }

    @Test("A page of a failing store shows advice without a path, and the log contains the reason")
    func failing() async throws {
        let life = try Life(today: Self.day("2024-03-15"))
        let failure = SyncFailure(
            .storage, subject: "/home/anna/received.db", reason: "disk I/O error", advice: "check the disk")
        for (error, status, word) in [
            (failure, 503, "Try again in a minute"),
            (
                SyncFailure(.busy, subject: "/home/anna/lock", reason: "another run is in progress", advice: ""), 409,
                "another run"
            ),
            (
                SyncFailure(.unexpected, subject: "/home/anna", reason: "odd", advice: "report this"), 500,
                "Reload it"
            ),
        ] {
            let log = CollectedEvents()
            let pages = DashboardPages.local(
                DashboardSources(
                    repository: { _ in FailingRepository(failure: error) }, clock: life.clock,
                    time: ManualTime(life.now), log: log), home: life.home)
            let answer = await pages.answer(Life.request("/view/steps"))
            guard case .text(let html, _) = answer.content else { throw ContractViolation("no page") }
            #expect(answer.status == status)
            #expect(html.contains(word) && !html.contains("/home/anna"))
            #expect(log.events == ["GET /view/steps: status \(status): \(error)"])
            #expect(try await PageCheck.verdicts(["page": html])["page"]?.problems == [])
        }
    }
}
