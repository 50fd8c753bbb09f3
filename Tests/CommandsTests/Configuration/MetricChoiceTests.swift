import HealthSyncDomain
import HealthSyncEngine
import HealthSyncMetrics
import HealthSyncPorts
import Testing

@testable import HealthSyncCommands

@Suite("The selection of metrics")
struct MetricChoiceTests {
    /// The built-in metrics and a plug-in that reads steps and body mass.
    private func harness(with metric: String, results: [String] = []) throws -> CommandHarness {
        let bodyMass = try #require(SampleTypeTable.builtIn().definition(named: "bodyMass"))
        var plugIn = FixedHandler(metric: HealthMetric(rawValue: metric), reads: [.stepCount, bodyMass])
        plugIn.results = (results.isEmpty ? [metric] : results).map {
            MetricDefinition(HealthMetric(rawValue: $0), unit: "kg", kind: .mean)
        }
        var harness = CommandHarness()
        harness.factory.typeTable = .builtIn()
        harness.factory.builtInTypes = Set(BuiltInHandlers.all().flatMap { $0.reads.map(\.type) })
        harness.factory.handlers = { [plugIn] _ in
            BuiltInHandlers.all().filter { $0.metric != plugIn.metric } + [plugIn]
        }
        return harness
    }

    private func selected(_ metrics: String, in harness: CommandHarness) throws -> [any HealthMetricSyncHandler] {
        let settings = try harness.settings("daily --metrics \(metrics)")
        return try MetricChoice(settings: settings, factory: harness.factory).handlers
    }

    private func furtherMetrics(in harness: CommandHarness) throws -> [String] {
        MetricChoice.furtherTypes(harness.factory, offered: harness.factory.handlers(try harness.settings("metrics")))
            .map(\.type.shortName)
    }

    @Test("A plug-in that reads a type does not hide the metric of that type")
    func reading() throws {
        let harness = try harness(with: "massPerStep")
        #expect(try furtherMetrics(in: harness).contains("bodyMass"))
        #expect(try selected("bodyMass,steps,massPerStep", in: harness).count == 3)
    }

    @Test("A plug-in replaces the metric of its name")
    func replacing() throws {
        let harness = try harness(with: "bodyMass")
        #expect(try !furtherMetrics(in: harness).contains("bodyMass"))
        #expect(try selected("bodyMass", in: harness).first is FixedHandler)
    }

    @Test("A plug-in replaces the further metric of one of its results")
    func results() throws {
        let harness = try harness(with: "body", results: ["bodyMass", "bodyVolume"])
        #expect(try !furtherMetrics(in: harness).contains("bodyMass"))
        #expect(throws: SyncFailure.self) { try selected("bodyMass", in: harness) }
    }

    @Test("A type that a built-in metric reads is not a further metric, even if a plug-in replaces that metric")
    func builtIn() throws {
        let replaced = try harness(with: "steps")
        #expect(try !furtherMetrics(in: replaced).contains("stepCount"))
        #expect(try furtherMetrics(in: replaced).contains("bodyMass"))
        #expect(try selected("steps", in: replaced).first is FixedHandler)
    }

    @Test("By default every quantity that no handler derives is a further metric; a selection is complete")
    func furtherByDefault() throws {
        let harness = try harness(with: "massPerStep")
        let all = try MetricChoice(settings: harness.settings("daily"), factory: harness.factory)
        let metrics = all.furtherHandlers.map(\.metric.rawValue)
        #expect(metrics.contains("bodyMass") && metrics.contains("dietaryWater") && !metrics.contains("stepCount"))
        #expect(Set(metrics).count == metrics.count && metrics.count > 90)
        #expect(Set(metrics).isDisjoint(with: all.handlers.map(\.metric.rawValue)))
        #expect(all.engineSettings(try harness.settings("daily")).furtherHandlers.count == metrics.count)
        let one = try MetricChoice(settings: harness.settings("daily --metrics steps"), factory: harness.factory)
        #expect(one.furtherHandlers.isEmpty && one.handlers.count == 1)
    }

    @Test("A type that a plug-in defines for its own metric is not a second metric by default")
    func typeOfPlugIn() throws {
        let (type, unread) = (
            SampleTypeDefinition(SampleType(rawValue: "HKQuantityTypeIdentifierMood"), .discrete, unit: "count"),
            SampleTypeDefinition(SampleType(rawValue: "HKQuantityTypeIdentifierZest"), .discrete, unit: "count")
        )
        var harness = CommandHarness()
        harness.factory.typeTable = SampleTypeTable(SampleTypeTable.builtIn().rows + [type, unread])
        harness.factory.handlers = { _ in [FixedHandler(metric: HealthMetric(rawValue: "moods"), reads: [type])] }
        let choice = try MetricChoice(settings: harness.settings("daily"), factory: harness.factory)
        let metrics = choice.furtherHandlers.map(\.metric.rawValue)
        #expect(!metrics.contains("mood") && metrics.contains("zest"))
    }

    @Test("Two selected handlers must not derive the same metric")
    func conflict() throws {
        let harness = try harness(with: "pace", results: ["steps"])
        #expect(throws: SyncFailure.self) { try selected("steps,pace", in: harness) }
        #expect(try selected("pace", in: harness).count == 1)
    }

    /// The built-in metrics, and plug-ins that read results of others.
    private func harness(reading inputs: [String: [String]]) throws -> CommandHarness {
        var harness = try harness(with: "massPerStep")
        let plugIns = inputs.map { name, inputs in
            var handler = FixedHandler(metric: HealthMetric(rawValue: name), reads: [])
            handler.results = [MetricDefinition(handler.metric, unit: "count", kind: .sum)]
            handler.inputs = inputs.map { HealthMetric(rawValue: $0) }
            return handler
        }
        harness.factory.handlers = { _ in BuiltInHandlers.all() + plugIns }
        return harness
    }

    @Test("A metric is selected together with those whose results it reads, also if no handler is offered for one")
    func inputs() throws {
        let harness = try harness(reading: ["a": ["b", "bodyMass"], "b": ["steps"]])
        let names = Set(try selected("a", in: harness).map(\.metric.rawValue))
        #expect(names == ["a", "b", "bodyMass", "steps"])
        #expect(try selected("b,steps", in: harness).count == 2)
        let all = try MetricChoice(settings: harness.settings("daily"), factory: harness.factory)
        #expect(all.handlers.filter { $0.metric.rawValue == "bodyMass" }.count == 1)
        #expect(!all.furtherHandlers.contains { $0.metric.rawValue == "bodyMass" })
    }

    @Test("Metrics that read each other's results, or a metric that nothing derives, are reported with their names")
    func invalidInputs() throws {
        for (inputs, text) in [
            (["a": ["b"], "b": ["a"]], "these metrics read each other's results"),
            (["a": ["nothing"]], "a: it reads the metric \"nothing\", which nothing derives"),
        ] {
            let harness = try harness(reading: inputs)
            let failure = #expect(throws: SyncFailure.self) {
                try MetricChoice(settings: harness.settings("daily"), factory: harness.factory)
            }
            #expect(failure?.code == .configuration)
            #expect(failure?.description.contains(text) == true)
            #expect(try selected("steps", in: harness).count == 1)
        }
    }
}
