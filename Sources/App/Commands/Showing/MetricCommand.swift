import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync metric`
enum MetricCommand: Command {
    static let declaration = CommandDeclaration(
        "metric", "Show any metric by hour, day, week, month or year",
        discussion: [
            "Shows the total of metrics that add up, with the best day, weekday and hour, and minimum, maximum and mean or "
                + "last value of others. A week, month or year contains only its selected days. `healthsync sleep` shows "
                + "sleep."
        ],
        arguments: [
            ArgumentDeclaration("NAME", "A metric that `healthsync metrics` lists"), ShownDays.daysArgument,
        ], options: ShownDays.rangeOptions + ShownDays.seriesOptions,
        examples: [
            "metric activeEnergy", "metric bodyMass --last 1y --by month", "metric oxygenSaturation today --json",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let factory = context.environment.factory
        let catalog = MetricCatalog(settings, factory: factory)
        let choice = try MetricChoice(settings: settings, factory: factory)
        let today = settings.clock.day(of: context.environment.time.now())
        let words = words(of: context.parsed, catalog)
        let asked = try ShownDays(words, dayAt: 1, today: today)
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.records
            let shown = asked.limited(to: try await repository.recordedDays(), today: today)
            let recorded = try await repository.recordedMetrics()
            let metric = try metric(words.arguments[0], catalog, recorded, factory.handlers(settings))
            let latest = try await repository.latestDay(of: metric, through: nil)
            let progress = try await repository.figures(of: metric, days: shown.days, withHours: true)
            var known = progress.first
            if known == nil, let latest {
                known = try await repository.dailyFigures(of: metric, days: DayRange(latest)).first
            }
            guard let definition = known.map(catalog.definition) ?? catalog[metric] else {
                throw unknown(metric.rawValue, among: catalog)
            }
            let view = MetricView(
                series: MetricSeries(of: definition, days: shown.days, progress: progress, today: today),
                grain: shown.grain,
                clock: settings.clock, latest: latest,
                remedy: remedy(for: metric, choice, settings))
            var outOfDate = OutOfDateView(days: try await engine.outOfDate.run(of: metric))
            // `historical` alone derives the selected metrics.
            if !choice.derives(metric) { outOfDate.command += " --metrics \(metric)" }
            if let text = outOfDate.text, !context.parsed.has("json") { context.warn(text) }
            context.show(
                charts: view.lines(context.style, showsOrigins: context.parsed.has("origins")),
                json: view.json(outOfDate: outOfDate.json))
            return .done
        }
    }

    /// Returns the words of the command; a name of two words that was not quoted, such as `blood pressure`, is one word.
    private static func words(of parsed: ParsedCommand, _ catalog: MetricCatalog) -> ParsedCommand {
        let name = parsed.arguments.joined(separator: " ")
        let isTitle = catalog.definitions.contains { MetricSynonyms.key($0.title) == MetricSynonyms.key(name) }
        guard parsed.arguments.count == 2, isTitle || MetricSynonyms.metrics(for: name) != [name] else { return parsed }
        var joined = parsed
        joined.arguments = [name]
        return joined
    }

    /// Returns the metric called `name`, ignoring case: one of the catalog or one with records.
    private static func metric(
        _ name: String, _ catalog: MetricCatalog, _ recorded: [HealthMetric],
        _ handlers: [any HealthMetricSyncHandler]
    ) throws -> HealthMetric {
        let metrics = catalog.definitions.map(\.metric) + recorded
        let lowercased = name.lowercased()
        if let metric = metrics.first(where: { $0.rawValue == name })
            ?? metrics.first(where: { $0.rawValue.lowercased() == lowercased })
        {
            guard catalog[metric]?.kind != .sessions, metric != .sleep else {
                throw SyncFailure.usage(
                    metric.rawValue, "this metric consists of sessions, not figures", advice: "run `healthsync sleep`")
            }
            return metric
        }
        let meant = MetricSynonyms.metrics(for: name)
        if meant.count > 1 {
            throw SyncFailure.usage(
                name, "this name means several metrics", advice: "use \(meant.joined(separator: " or "))")
        }
        if meant != [name] { return try metric(meant[0], catalog, recorded, handlers) }
        if let titled = catalog.definitions.first(where: { MetricSynonyms.key($0.title) == MetricSynonyms.key(name) }) {
            return try metric(titled.metric.rawValue, catalog, recorded, handlers)
        }
        if let handler = handlers.first(where: { $0.metric.rawValue.lowercased() == lowercased }) {
            let names = handler.results.map(\.metric.rawValue).joined(separator: " or ")
            throw SyncFailure.usage(name, "this handler derives several metrics", advice: "use \(names)")
        }
        throw unknown(name, among: catalog)
    }

    private static func unknown(_ name: String, among catalog: MetricCatalog) -> SyncFailure {
        let names = catalog.definitions.map(\.metric.rawValue) + MetricSynonyms.metricsByName.keys.sorted()
        let meant = Suggestion.nearest(to: name, among: names)
        let list = "`healthsync metrics` lists all metrics"
        return .usage(name, "no such metric", advice: meant.map { "did you mean \($0)? \(list)" } ?? list)
    }

    /// Returns what derives `metric` from now on.
    private static func remedy(for metric: HealthMetric, _ choice: MetricChoice, _ settings: Settings) -> String {
        guard !choice.derives(metric) else {
            return "run `healthsync import FILE` with a source that contains it"
        }
        let selected = choice.handlers.map(\.metric) + [metric]
        let names = selected.map { "\"\($0)\"" }.joined(separator: ", ")
        return "set \"metrics\": [\(names)] in the configuration, and run `healthsync import FILE` with a "
            + "source that contains it"
    }
}

extension MetricChoice {
    /// Returns whether a run derives `metric` if the data contain it.
    fileprivate func derives(_ metric: HealthMetric) -> Bool {
        (handlers + furtherHandlers).contains { handler in handler.results.contains { $0.metric == metric } }
    }
}

/// `healthsync steps`
enum StepsCommand: Command {
    static let declaration = CommandDeclaration(
        "steps", "Show steps by hour, day, week, month or year",
        discussion: [
            "Steps are merged over the devices that counted them; --origins adds the figures of each device alone. A "
                + "week, month or year contains only its selected days. The totals name the day with the most steps, and the "
                + "weekday and the hour with the largest average."
        ],
        arguments: [ShownDays.daysArgument], options: ShownDays.rangeOptions + ShownDays.seriesOptions,
        examples: ["steps", "steps yesterday", "steps --last 3mo --by week --origins", "steps --by year --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let asked = try ShownDays(context.parsed, today: today)
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.records
            let shown = asked.limited(to: try await repository.recordedDays(), today: today)
            let progress = try await repository.figures(of: .steps, days: shown.days, withHours: true)
            let definition = MetricDefinition(.steps, unit: "count", kind: .sum)
            let view = MetricView(
                series: MetricSeries(of: definition, days: shown.days, progress: progress, today: today),
                grain: shown.grain,
                clock: settings.clock, latest: try await repository.latestDay(of: .steps, through: nil))
            context.show(
                charts: view.lines(context.style, showsOrigins: context.parsed.has("origins")), json: view.stepsJSON)
            return .done
        }
    }
}
