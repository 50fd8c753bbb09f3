import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit

/// A world with records of some days before 15 January 2024 in Paris, and of the day of 25 hours in autumn 2023.
struct RecordedWeek {
    static let watch = "Anna’s Watch"
    static let longName = "手机 📱 \u{1B}[31m" + String(repeating: "x", count: 200)

    var world = StoredWorld()
    private let clock: DayClock

    /// `onlyInBed` keeps only the time in bed of the other source for the night of the 14th.
    init(onlyInBed: Bool = false) async throws {
        clock = DayClock(home: try ZoneRules(identifier: "Europe/Paris"))
        var commit = SyncCommit(metric: .steps)
        commit.progress = try [
            progress(.steps, "2024-01-09", 12_345, origins: [(Self.watch, 12_000), (Self.longName, 7_000)]),
            progress(.steps, "2024-01-14", 1_200, origins: [(Self.watch, 1_200)]),
            progress(.steps, "2024-01-15", 6_000, hours: [(7, 1_500), (8, 4_500)], origins: [(Self.watch, 6_000)]),
            progress(.steps, "2023-10-29", 50, hours: [(1, 10), (2, 20), (3, 15), (24, 5)]),
            progress(.heartRate, "2024-01-14", 70, low: 48, high: 120, count: 300),
            progress(.heartRate, "2024-01-15", 80, low: 60, high: 100, count: 100, hours: [(9, 80)]),
            progress(.restingHeartRate, "2024-01-13", 52, low: 52, high: 52, count: 1),
            progress(.restingHeartRate, "2024-01-14", 54, low: 54, high: 54, count: 1),
        ]
        let sleep = try Self.sleep(onlyInBed: onlyInBed)
        commit.sleep = sleep.map { RevisedRecord($0.session, sourceID: $0.id, revision: 1) }
        var snapshot = ActivitySnapshot(day: try day("2024-01-15"))
        snapshot.steps = 6_000
        snapshot.minutesAsleep = 420
        var earlier = ActivitySnapshot(day: try day("2024-01-14"))
        earlier.steps = 1_200
        commit.snapshots = [
            RevisedRecord(earlier, sourceID: "earlier snapshot", revision: 1),
            RevisedRecord(snapshot, sourceID: "snapshot", revision: 1),
        ]
        try await world.stores.tracking.commit(commit)
    }

    func run(_ line: String, width: Int? = nil, color: Bool = false) async -> CommandHarness.Outcome {
        var harness = world.harness
        harness.terminalWidth = width
        harness.variables["LANG"] = "en_US.UTF-8"
        if !color { harness.variables["NO_COLOR"] = "1" }
        return await harness.run(line)
    }

    private func day(_ text: String) throws -> CalendarDay {
        guard let day = CalendarDay(text) else { throw ContractViolation("no day: \(text)") }
        return day
    }

    private func progress(
        _ metric: HealthMetric, _ text: String, _ quantity: Double, low: Double? = nil, high: Double? = nil,
        count: Int? = nil, hours: [(Int, Double)] = [], origins: [(String, Double)] = []
    ) throws -> RevisedRecord<DailyProgress> {
        let day = try day(text)
        var progress = DailyProgress(
            metric: metric, day: day, start: clock.start(of: day), unit: metric == .steps ? "count" : "count/min",
            figures: ProgressFigures(quantity: quantity, minimum: low, maximum: high, count: count))
        let slots = clock.hours(of: day)
        progress.hours = hours.map { index, quantity in
            HourProgress(
                start: slots[index].start,
                figures: ProgressFigures(quantity: quantity, minimum: low, maximum: high, count: count))
        }
        progress.origins = origins.map { OriginProgress(sourceName: $0.0, quantity: $0.1) }
        return RevisedRecord(progress, sourceID: "\(metric)/\(day)", revision: 1)
    }

    /// Returns a night with stages from two sources, a night of which only totals are known, and a nap.
    private static func sleep(onlyInBed: Bool) throws -> [(id: String, session: SleepSession)] {
        var sums = try session("2024-01-15", "2024-01-14T22:00:00Z", minutes: [480], by: watch, [.core])
        sums.stages = []
        sums.durations.asleep = 420 * 60_000
        sums.durations.core = 300 * 60_000
        sums.durations.deep = 120 * 60_000
        sums.share?.durations = sums.durations
        var other = try session("2024-01-14", "2024-01-13T21:30:00Z", minutes: [540], by: longName, [.inBed])
        if !onlyInBed { other.share = nil }
        var nap = try session("2024-01-14", "2024-01-14T13:00:00Z", minutes: [45], by: watch, [.asleep])
        nap.role = .nap
        let main = try session(
            "2024-01-14", "2024-01-13T22:00:00Z", minutes: [30, 120, 60, 120, 30, 120], by: watch,
            [.inBed, .core, .deep, .core, .awake, .rem])
        return (onlyInBed ? [] : [("main", main)]) + [("other", other), ("nap", nap), ("sums", sums)]
    }

    private static func session(
        _ night: String, _ start: String, minutes: [Int64], by name: String, _ stages: [SleepStage]
    ) throws -> SleepSession {
        guard let day = CalendarDay(night), let begin = RFC3339.instant(start) else {
            throw ContractViolation("no night: \(night)")
        }
        var at = begin
        var intervals: [SleepStageInterval] = []
        for (stage, length) in zip(stages, minutes) {
            let end = at.advanced(bySeconds: length * 60)
            intervals.append(SleepStageInterval(stage: stage, interval: InstantRange(start: at, end: end)))
            at = end
        }
        let whole = InstantRange(start: begin, end: at)
        return SleepSession(
            day: day, interval: whole, origin: SampleOrigin(sourceName: name), offsetSeconds: 3_600, stages: intervals,
            durations: SleepDurations(of: intervals, within: whole))
    }
}
