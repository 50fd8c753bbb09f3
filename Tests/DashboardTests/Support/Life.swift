import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit

/// Synthetic records of one user, and the pages that show them.
struct Life {
    let stores = InMemoryStores(time: ManualTime())
    let clock: DayClock
    let now: Instant
    let hold = InMemoryPause()
    let actions = RecordedActions()
    let tokens = InMemoryAccessTokenStore()
    let offers = InMemoryPairingOffers()
    var reception = InboxReception(address: InboxAddress(host: "192.168.1.5", port: 8000), state: .receiving)

    init(zone: String = "Europe/Paris", today: CalendarDay) throws {
        clock = DayClock(home: try ZoneRules(identifier: zone))
        now = clock.start(of: today).advanced(bySeconds: 12 * 3600)
    }

    /// Stores a day whose hour number n has 100 + n steps, with heart rates. `source` and an iPhone recorded the steps.
    func walk(_ day: CalendarDay, source: String = "Watch") async throws {
        var commit = SyncCommit(metric: .steps)
        let hours = clock.hours(of: day).enumerated().map { index, hour in
            HourProgress(start: hour.start, figures: ProgressFigures(quantity: Double(100 + index)))
        }
        let total = hours.reduce(0) { $0 + $1.figures.quantity }
        var steps = DailyProgress(
            metric: .steps, day: day, start: clock.start(of: day), unit: "count",
            figures: ProgressFigures(quantity: total), hours: hours)
        steps.origins = [
            OriginProgress(sourceName: source, quantity: total), OriginProgress(sourceName: "iPhone", quantity: 7),
        ]
        var rate = DailyProgress(
            metric: .heartRate, day: day, start: steps.start, unit: "count/min",
            figures: ProgressFigures(quantity: 68.25, minimum: 44, maximum: 141.5, count: 200))
        rate.hours = hours.map {
            HourProgress(
                start: $0.start, figures: ProgressFigures(quantity: 68.25, minimum: 44, maximum: 141.5, count: 8))
        }
        var resting = rate
        resting.metric = .restingHeartRate
        resting.figures = ProgressFigures(quantity: 52, minimum: 52, maximum: 52, count: 1)
        resting.hours = []
        commit.progress = [steps, rate, resting].map {
            RevisedRecord($0, sourceID: "\($0.metric)/\(day)", revision: 1)
        }
        var snapshot = ActivitySnapshot(day: day)
        snapshot.steps = total
        snapshot.restingHeartRate = 52
        commit.snapshots = [RevisedRecord(snapshot, sourceID: "snapshot/\(day)", revision: 1)]
        try await stores.tracking.commit(commit)
    }

    /// Stores the night that ends on `day`, `hours` hours from 23:00 on, with stages or, if not `staged`, with totals.
    func sleep(_ day: CalendarDay, source: String = "Watch", hours: Int64 = 8, staged: Bool = true) async throws {
        let start = clock.start(of: day).advanced(bySeconds: -3600)
        let part = hours * 3_600_000 / 8
        let stages: [SleepStage] = [.core, .deep, .core, .rem, .awake, .core, .deep, .rem]
        let intervals = stages.enumerated().map { index, stage in
            SleepStageInterval(
                stage: stage,
                interval: InstantRange(
                    start: start.advanced(byMilliseconds: Int64(index) * part),
                    end: start.advanced(byMilliseconds: Int64(index + 1) * part)))
        }
        var durations = SleepDurations()
        durations.inBed = 8 * part
        durations.asleep = 7 * part
        if staged {
            (durations.core, durations.deep, durations.rem, durations.awake) = (3 * part, 2 * part, 2 * part, part)
        } else {
            durations.unspecified = 7 * part
        }
        let session = SleepSession(
            day: day, interval: InstantRange(start: start, end: start.advanced(byMilliseconds: 8 * part)),
            origin: SampleOrigin(sourceName: source, device: ""),
            offsetSeconds: clock.offsetSeconds(at: start), stages: staged ? intervals : [], durations: durations)
        var commit = SyncCommit(metric: .sleep)
        commit.sleep = [RevisedRecord(session, sourceID: "sleep/\(day)/\(source)", revision: 1)]
        try await stores.tracking.commit(commit)
    }

    var pages: DashboardPages {
        let repository = stores.repository
        return DashboardPages.local(
            DashboardSources(
                repository: { _ in repository }, clock: clock, time: ManualTime(now), log: CollectedEvents()),
            home: home)
    }

    static let viewer = WebViewer(user: .local, scopes: [], hasSession: false, formToken: "0123456789abcdef")

    /// Returns the HTML of the page at an address such as `/view/sleep?last=7d`. Throws unless the status is 200.
    func page(_ address: String, language: String = "en") async throws -> String {
        let answer = await pages.answer(Self.request(address, language: language))
        guard answer.status == 200, case .text(let html, _) = answer.content else {
            throw ContractViolation("\(address): \(answer.status)")
        }
        return html
    }

    static func request(_ address: String, language: String = "en") -> WebRequest {
        let parts = address.split(separator: "?", maxSplits: 1)
        let query = parts.dropFirst().flatMap { $0.split(separator: "&") }.map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return WebField(String(sides[0]), sides.count < 2 ? "" : String(sides[1]))
        }
        return WebRequest(
            path: parts[0].split(separator: "/").map(String.init), query: query, language: language, viewer: viewer)
    }

    /// The addresses of all pages, each with all its views.
    static let addresses =
        [
            "/", "/view/year", "/view/journal", "/view/shoes", "/view/sync", "/view/intervals", "/view/metrics",
            "/view/devices",
        ]
        + ["steps", "sleep", "resting"].map { "/view/years?of=\($0)" }
        + ["1d", "7d", "30d", "3mo", "months", "years", "all"].map { "/view/sleep?last=\($0)" }
        + ["steps", "heart"].flatMap { name in
            ["hour", "day", "week", "month", "year"].map { "/view/\(name)?by=\($0)" }
        }

    /// Returns the HTML of all pages by address, with `/` as `_` and `?` as `~`.
    func allPages() async throws -> [String: String] {
        var pages: [String: String] = [:]
        for address in Self.addresses {
            pages[address.replacing("/", with: "_").replacing("?", with: "~")] = try await page(address)
        }
        return pages
    }
}
