import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("The pages of metrics")
struct MetricPagesTests {
    private static let day = CalendarDay(ordinal: 19_797)  // 2024-03-15
    private static let views = ["hour", "day", "week", "month", "year"]

    private static func life(_ metrics: [(name: String, unit: String, figures: ProgressFigures)]) async throws -> Life {
        let life = try Life(today: day)
        var commit = SyncCommit(metric: .activeEnergy)
        commit.progress = metrics.map { metric in
            var progress = DailyProgress(
                metric: HealthMetric(rawValue: metric.name), day: day, start: life.clock.start(of: day),
                unit: metric.unit, figures: metric.figures)
            progress.hours = [
                HourProgress(start: progress.start.advanced(bySeconds: 8 * 3_600), figures: metric.figures)
            ]
            progress.origins = [
                OriginProgress(sourceName: "<b>Scale</b>", quantity: 1), OriginProgress(sourceName: "", quantity: 2),
            ]
            return RevisedRecord(progress, sourceID: metric.name, revision: 1)
        }
        try await life.stores.tracking.commit(commit)
        return life
    }

    @Test("a sum has a total, a mean has its range, in every view, with the unit")
    func views() async throws {
        let life = try await Self.life([
            ("activeEnergy", "kcal", ProgressFigures(quantity: 512.5)),
            ("mindfulness", "%", ProgressFigures(quantity: 0.5, minimum: 0.25, maximum: 0.75, count: 4)),
        ])
        for view in Self.views {
            let pages = try await PageCheck.verdicts([
                "sum": try await life.page("/view/metric?name=activeEnergy&by=\(view)&day=2024-03-15"),
                "mean": try await life.page("/view/metric?name=mindfulness&by=\(view)&day=2024-03-15"),
            ])
            let (sum, mean) = (try #require(pages["sum"]), try #require(pages["mean"]))
            #expect(sum.problems == [] && mean.problems == [], "\(view)")
            #expect(sum.text.contains("Active energy") && sum.text.contains("kcal"), "\(view): \(sum.text)")
            #expect(!sum.text.contains("Kcal"), "\(view): units are written in one way")
            #expect(sum.data.contains("512.5"), "\(view)")
            #expect(mean.data.prefix(3) == ["0.25", "0.75", "0.5"], "\(view): \(mean.data)")
            #expect(mean.text.contains("25%") && mean.text.contains("75%"), "\(view)")
            let closer = ["hour": nil, "day": "hour", "week": "day", "month": "day", "year": "month"][view] ?? nil
            if let closer {
                #expect(
                    sum.links.contains { $0.hasPrefix("/view/metric?name=activeEnergy&by=\(closer)&day=") },
                    "\(sum.links)")
            }
        }
    }

    @Test("the index and the summary list every metric and link to its page")
    func index() async throws {
        let life = try await Self.life([
            ("activeEnergy", "kcal", ProgressFigures(quantity: 512.5)),
            ("bloodPressureSystolic", "mmHg", ProgressFigures(quantity: 121, minimum: 110, maximum: 131, count: 3)),
        ])
        try await life.walk(Self.day)
        let pages = try await PageCheck.verdicts([
            "index": try await life.page("/view/metrics"), "summary": try await life.page("/"),
        ])
        for (name, page) in pages {
            #expect(page.problems == [], "\(name)")
            #expect(page.text.contains("Blood pressure systolic121 mmHg110131"), "\(name): \(page.text)")
            #expect(page.links.contains("/view/metric?name=bloodPressureSystolic&day=2024-03-15"), "\(name)")
        }
        let index = try #require(pages["index"])
        #expect(
            index.links.contains("/view/steps?day=2024-03-15") && index.links.contains("/view/heart?day=2024-03-15"))
        #expect(try await life.page("/view/metric?name=steps&by=day").contains("<h1>Steps</h1>"))
    }

    @Test(
        "a name is text in titles, links and forms, whatever it contains",
        arguments: [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a&name=b?c#d", "../../etc/passwd",
            "%2e%2e%00",
            "\u{202E}gnihctaw", "👩🏽‍🦼", "a\u{0}b\u{1B}[2J", String(repeating: "ж", count: 200), " ", "",
        ])
    func names(name: String) async throws {
        let life = try await Self.life([(name, name, ProgressFigures(quantity: 3, count: 2))])
        var request = Life.request("/view/metric")
        for view in Self.views {
            request.query = [WebField("name", name), WebField("by", view)]
            let answer = await life.pages.answer(request)
            guard case .text(let html, _) = answer.content else { throw ContractViolation("no page") }
            #expect(answer.status == 200)
            let pages = try await PageCheck.verdicts(["page": html, "index": try await life.page("/view/metrics")])
            for (page, verdict) in pages { #expect(verdict.problems == [], "\(page)") }
        }
    }

    @Test("an unknown metric is 404, a known one without records is an empty page, and wrong parameters are 400")
    func missing() async throws {
        let life = try Life(today: Self.day)
        #expect(await life.pages.answer(Life.request("/view/metric")).status == 404)
        #expect(await life.pages.answer(Life.request("/view/metric?name=nothing")).status == 404)
        let repository = life.stores.repository
        let catalog = MetricCatalog([
            MetricDefinition(HealthMetric(rawValue: "bodyMass"), title: "Weight", unit: "kg", kind: .last),
            MetricDefinition(.sleep, unit: "", kind: .sessions),
        ])
        let pages = DashboardPages.local(
            DashboardSources(
                repository: { _ in repository }, catalog: catalog, clock: life.clock, time: ManualTime(life.now),
                log: CollectedEvents()), home: life.home)
        func page(_ address: String) async throws -> (Int, String) {
            let answer = await pages.answer(Life.request(address))
            guard case .text(let html, _) = answer.content else { throw ContractViolation("no page") }
            return (answer.status, html)
        }
        let empty = try await page("/view/metric?name=bodyMass&by=hour")
        #expect(empty.0 == 200 && empty.1.contains("No records of weight on 15 Mar 2024."))
        #expect(try await page("/view/metric?name=sleep").1.contains("href=\"/view/sleep\""))
        #expect(try await page("/view/metric?name=bodyMass&by=x").0 == 400)
        #expect(pages.route(at: ["view", "metric"])?.template == "/view/metric")
    }
}
