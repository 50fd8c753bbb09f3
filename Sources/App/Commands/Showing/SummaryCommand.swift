import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync summary`
enum SummaryCommand: Command {
    static let declaration = CommandDeclaration(
        "summary", "Show the latest figures of every metric, or all of one day",
        arguments: [ShownDays.dayArgument], examples: ["summary", "summary 2024-01-15", "summary yesterday --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let day = try context.parsed.arguments.first.map { text throws(SyncFailure) in
            try DayText.day(text, today: today)
        }
        let catalog = MetricCatalog(settings, factory: context.environment.factory)
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.records
            if let day {
                let record = try await DayRecord(of: day, in: repository)
                let view = DayView(record: record, clock: settings.clock, catalog: catalog)
                context.show(charts: view.lines(context.style), json: view.json)
            } else {
                let summary = try await repository.summary(today: today)
                let freshness = try await repository.freshness(today: today)
                let view = LatestView(
                    summary: summary, clock: settings.clock, catalog: catalog, freshness: freshness)
                context.show(charts: view.lines(context.style), json: view.json)
            }
            return .done
        }
    }
}

/// The snapshot, figures and sleep sessions of one day.
private struct DayRecord {
    let day: CalendarDay
    let snapshot: ActivitySnapshot?
    let progress: [DailyProgress]
    let sleep: [SleepSession]

    /// Reads the records of `day` from `repository`.
    init(of day: CalendarDay, in repository: any HealthRepository) async throws {
        self.day = day
        snapshot = try await repository.activitySnapshots(days: DayRange(day)).first
        progress = try await repository.dailyFigures(of: nil, days: DayRange(day))
        sleep = try await repository.sleep(days: DayRange(day))
    }
}

/// Every record of one day.
private struct DayView: JSONEncodable {
    let record: DayRecord
    let clock: DayClock
    let catalog: MetricCatalog

    /// Returns the output for a terminal or a file.
    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable([.left, .left])
        if let snapshot = record.snapshot {
            for row in SnapshotView(snapshot: snapshot).rows { table.add(row.name, row.text) }
        }
        for progress in record.progress where !isInSnapshot(progress.metric) {
            let view = ProgressView(progress: progress, catalog: catalog)
            table.add(view.name, view.text)
        }
        let room = style.width.map { $0 - 2 - max(table.columnWidth(0), "sleep".count) - 2 } ?? .max
        for sleep in SleepEpisode.episodes(of: record.sleep) {
            let lines = SleepEpisodeView(sleep: sleep, clock: clock).lines(columns: room)
            for (name, line) in zip(["sleep", "", ""], lines) { table.add(name, line) }
        }
        table.cut(1, toFit: style.width, indentation: 2)
        let lines = table.lines(indentation: 2)
        return ["\(record.day)"] + (lines.isEmpty ? ["  nothing recorded"] : lines)
    }

    /// Returns whether the snapshot contains the metric.
    private func isInSnapshot(_ metric: HealthMetric) -> Bool {
        guard let snapshot = record.snapshot else { return false }
        switch metric {
        case .steps: return snapshot.steps != nil
        case .walkingDistance: return snapshot.walkingDistanceKilometres != nil
        case .activeEnergy: return snapshot.activeEnergyKilocalories != nil
        case .exerciseMinutes: return snapshot.exerciseMinutes != nil
        case .restingHeartRate: return snapshot.restingHeartRate != nil
        default: return false
        }
    }

    /// The sleep of the day, and the sessions that other sources cover.
    private var sleep: [SleepEpisode] {
        SleepEpisode.episodes(of: record.sleep)
            + record.sleep.filter { $0.share == nil }.map(SleepEpisode.init(alone:))
    }

    var json: JSONValue {
        [
            "day": record.day,
            "snapshot": record.snapshot.map { SnapshotView(snapshot: $0) },
            "metrics": record.progress.map { ProgressView(progress: $0) },
            "sleep": sleep.map { SleepEpisodeView(sleep: $0, clock: clock) },
        ]
    }
}
