import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Synchronization
import Testing

/// Doubles the figures of the metrics that it reads and adds them up, with the numbers of sleep sessions and of samples.
private final class DoublingHandler: HealthMetricSyncHandler {
    let metric: HealthMetric
    let inputs: [HealthMetric]
    let reads: [SampleTypeDefinition]
    let version: Int
    private let asked = Mutex<[CalendarDay]>([])

    init(
        _ metric: HealthMetric, of inputs: HealthMetric..., reading reads: [SampleTypeDefinition] = [], version: Int = 1
    ) {
        self.metric = metric
        self.inputs = inputs
        self.reads = reads
        self.version = version
    }

    var results: [MetricDefinition] { [MetricDefinition(metric, unit: "count", kind: .sum)] }

    /// Returns the days derived since the last call.
    func takeDerivedDays() -> [CalendarDay] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
    }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        asked.withLock { $0 += Array(days) }
        return DerivedDays(
            progress: days.compactMap { day in
                let figures = inputs.compactMap { window.figures(of: $0, on: day)?.figures.quantity }
                let sessions = window.sleepSessions(on: day).count
                let samples = reads.flatMap { window[$0.type] }.reduce(0) { count, origin in
                    count + origin.columns.starts.count { rules.clock.day(of: Instant(milliseconds: $0)) == day }
                }
                guard !figures.isEmpty || sessions + samples > 0 else { return nil }
                return DailyProgress(
                    metric: metric, day: day, start: rules.clock.start(of: day), unit: "count",
                    figures: ProgressFigures(quantity: figures.reduce(0) { $0 + 2 * $1 } + Double(sessions + samples)))
            })
    }
}

@Suite("Handlers that read results of other metrics")
struct HandlerInputTests {
    private static let double = HealthMetric(rawValue: "double")
    private static let fourfold = HealthMetric(rawValue: "fourfold")

    private func quantities(_ metric: HealthMetric, _ bench: EngineBench) async throws -> [CalendarDay: Double] {
        let records = try await bench.stores.repository.progress(of: metric, days: Fact.days(-9, 99))
        return Dictionary(uniqueKeysWithValues: records.map { ($0.day, $0.figures.quantity) })
    }

    @Test("They are derived after those, in one run, whatever the order of the handlers", arguments: [false, true])
    func order(isReversed: Bool) async throws {
        let handlers: [any HealthMetricSyncHandler] = [
            DoublingHandler(Self.fourfold, of: Self.double), DoublingHandler(Self.double, of: .steps), ProbeHandler(),
        ]
        var bench = EngineBench()
        bench.handlers = isReversed ? handlers.reversed() : handlers
        try await bench.historical(.snapshot([.steps(100, day: 3), .steps(7, day: 9)], on: 40))
        #expect(try await quantities(Self.double, bench) == [Fact.day(3): 200, Fact.day(9): 14])
        #expect(try await quantities(Self.fourfold, bench) == [Fact.day(3): 400, Fact.day(9): 28])
    }

    @Test("A change of a result derives the same day again, and no other; nothing new derives nothing")
    func changes() async throws {
        let handler = DoublingHandler(Self.double, of: .steps)
        let bench = EngineBench(ProbeHandler(), handler)
        let facts = (0..<20).map { Fact.steps(Double(100 + $0), day: $0) }
        try await bench.historical(.snapshot(facts, on: 40))
        _ = handler.takeDerivedDays()
        let again = try await bench.historical(.snapshot(facts, on: 41, at: "again"))
        #expect(again.sync.outcomes[Self.double] == .nothingNew)
        #expect(handler.takeDerivedDays() == [])
        var changed = facts
        changed[4].value = 5
        changed.remove(at: 12)
        try await bench.historical(.snapshot(changed, on: 42, at: "b"))
        let derived = handler.takeDerivedDays()
        // Days next to a changed sample are derived again, because a sample may reach into them.
        #expect(derived.contains(Fact.day(4)) && derived.contains(Fact.day(12)))
        #expect(
            derived.allSatisfy {
                abs($0.ordinal - Fact.day(4).ordinal) < 4 || abs($0.ordinal - Fact.day(12).ordinal) < 4
            })
        let figures = try await quantities(Self.double, bench)
        #expect(figures[Fact.day(4)] == 10 && figures[Fact.day(12)] == nil && figures.count == 19)
    }

    @Test("A new version derives all days again")
    func version() async throws {
        var bench = EngineBench(ProbeHandler(), DoublingHandler(Self.double, of: .steps))
        try await bench.historical(.snapshot([.steps(100, day: 3), .steps(7, day: 9)], on: 40))
        let next = DoublingHandler(Self.double, of: .steps, version: 2)
        bench.handlers = [ProbeHandler(), next]
        try await bench.historical()
        #expect(Set(next.takeDerivedDays()).isSuperset(of: [Fact.day(3), Fact.day(9)]))
    }

    /// Multiplies the values of the day by a factor that its version does not state.
    private struct CorrectedHandler: HealthMetricSyncHandler {
        let factor: Double
        var metric: HealthMetric { .steps }
        var reads: [SampleTypeDefinition] { [.stepCount] }
        var version: Int { 1 }

        func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) throws -> DerivedDays {
            var derived = try ProbeHandler().derive(days, from: window, by: rules)
            for index in derived.progress.indices { derived.progress[index].figures.quantity *= factor }
            return derived
        }
    }

    @Test("A result that was derived again from the same samples reaches those that read it")
    func correctedRule() async throws {
        let handler = DoublingHandler(Self.double, of: .steps)
        var bench = EngineBench(CorrectedHandler(factor: 1), handler)
        try await bench.historical(.snapshot([.steps(100, day: 3), .steps(7, day: 9)], on: 40))
        bench.handlers = [CorrectedHandler(factor: 10)]
        try await bench.historical(force: true)
        bench.handlers = [CorrectedHandler(factor: 10), handler]
        try await bench.historical()
        #expect(try await quantities(Self.double, bench) == [Fact.day(3): 2_000, Fact.day(9): 140])
    }

    @Test("The days of a metric are out of date while those of a metric that it reads are")
    func outOfDate() async throws {
        let bench = EngineBench(ProbeHandler(), DoublingHandler(Self.double, of: .steps))
        try await bench.historical(.snapshot([.steps(100, day: 3), .steps(7, day: 9)], on: 40))
        let check = bench.engine.outOfDate
        #expect(try await check.run(of: Self.double).count == 0)
        try await bench.importSources(
            .snapshot([.steps(50, day: 3), .steps(7, day: 9)], on: 41, at: "b"), allowDeletions: true)
        #expect(try await check.run(of: Self.double).count > 0)
        try await bench.historical()
        #expect(try await check.run(of: Self.double).count == 0)
        #expect(try await quantities(Self.double, bench)[Fact.day(3)] == 100)
    }

    @Test("Results of a metric that this run does not derive are read as they are stored")
    func storedResults() async throws {
        var bench = EngineBench(ProbeHandler())
        try await bench.historical(.snapshot([.steps(100, day: 3)], on: 40))
        bench.handlers = [DoublingHandler(Self.double, of: .steps)]
        try await bench.historical()
        #expect(try await quantities(Self.double, bench) == [Fact.day(3): 200])
    }

    @Test("A metric that failed fails those that read it, with its name, and no other")
    func failure() async throws {
        struct Broken: Error {}
        let heart = ProbeHandler(.heartRate, reading: .heartRate)
        let bench = EngineBench(
            ProbeHandler(failing: Broken()), DoublingHandler(Self.double, of: .steps),
            DoublingHandler(Self.fourfold, of: Self.double), heart)
        let report = try await bench.historical(.snapshot([.steps(100, day: 3)], on: 40))
        for (metric, input) in [(Self.double, HealthMetric.steps), (Self.fourfold, Self.double)] {
            guard case .failed(let failure) = report.sync.outcomes[metric] else {
                Issue.record("\(metric) did not fail")
                continue
            }
            #expect(failure.subject == metric.rawValue)
            #expect(failure.reason.hasPrefix("it reads \(input), which failed: "))
        }
        #expect(report.sync.outcomes[.heartRate] == .nothingNew)
        #expect(try await quantities(Self.double, bench) == [:])
    }

    @Test("Handlers that read each other's results are an error that names them")
    func cycle() throws {
        let a = DoublingHandler(HealthMetric(rawValue: "a"), of: HealthMetric(rawValue: "b"))
        let b = DoublingHandler(HealthMetric(rawValue: "b"), of: HealthMetric(rawValue: "c"), .steps)
        let c = DoublingHandler(HealthMetric(rawValue: "c"), of: HealthMetric(rawValue: "a"))
        let outside = DoublingHandler(Self.double, of: HealthMetric(rawValue: "a"))
        let own = DoublingHandler(Self.double, of: Self.double)
        for (handlers, cycle) in [
            ([ProbeHandler(), a, b, c], "a reads b reads c reads a"),
            ([outside, a, b, c], "a reads b reads c reads a"), ([own], "double reads double"),
        ] as [([any HealthMetricSyncHandler], String)] {
            let failure = #expect(throws: SyncFailure.self) { try HandlerStages(handlers) }
            #expect(failure?.code == .configuration)
            #expect(failure?.subject == cycle)
        }
        let stages = try HandlerStages([
            outside, a, ProbeHandler(), DoublingHandler(HealthMetric(rawValue: "b"), of: .steps),
        ])
        #expect(stages.stages.map { $0.map(\.metric.rawValue) } == [["steps"], ["b"], ["a"], ["double"]])
    }

    @Test("A changed setting derives all days again, and an equal one none")
    func settings() async throws {
        let handler = ScalingHandler()
        var bench = EngineBench(handler)
        let facts = [Fact.steps(100, day: 3), .steps(7, day: 9)]
        try await bench.historical(.snapshot(facts, on: 40))
        #expect(try await quantities(handler.metric, bench) == [Fact.day(3): 300, Fact.day(9): 21])
        bench.handlerSettings = [handler.metric: HandlerSettings([ScalingHandler.factor: .number(5)])]
        try await bench.historical()
        #expect(try await quantities(handler.metric, bench) == [Fact.day(3): 500, Fact.day(9): 35])
        #expect(try await bench.historical().sync.outcomes[handler.metric] == .nothingNew)
        // A value out of range is the default.
        bench.handlerSettings = [handler.metric: HandlerSettings([ScalingHandler.factor: .number(11)])]
        try await bench.historical()
        #expect(try await quantities(handler.metric, bench) == [Fact.day(3): 300, Fact.day(9): 21])
    }

    /// The oracle is a store that derives everything at once.
    @Test("However the data arrive, the results are those of one run over all", arguments: Seeds.range(UInt64(40)))
    func anyOrder(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        func handlers() -> [any HealthMetricSyncHandler] {
            [
                DoublingHandler(Self.fourfold, of: Self.double, .heartRate), ProbeHandler(),
                DoublingHandler(Self.double, of: .steps, reading: [.heartRate]),
                ProbeHandler(.heartRate, reading: .heartRate),
            ]
        }
        var bench = EngineBench()
        bench.handlers = handlers()
        var facts: [Fact] = []
        for step in 0..<8 {
            if !facts.isEmpty, Bool.random(using: &random) {
                facts.remove(at: .random(in: 0..<facts.count, using: &random))
            }
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let (value, day) = (
                    Double(Int.random(in: 1...99, using: &random)), Int.random(in: 0..<12, using: &random)
                )
                let hour = Int.random(in: 0..<24, using: &random)
                facts.append(
                    Bool.random(using: &random)
                        ? .steps(value, day: day, hour: hour) : .heartRate(value, day: day, hour: hour))
            }
            try await bench.historical(.snapshot(facts, on: 40 + step, at: "\(step)"))
            if Int.random(in: 0..<4, using: &random) == 0 {
                try await bench.historical(days: Fact.days(2, 5), force: true)
            }
        }
        var whole = EngineBench()
        whole.handlers = handlers()
        try await whole.historical(.snapshot(facts, on: 60, at: "whole"))
        for metric in [HealthMetric.steps, Self.double, Self.fourfold] {
            #expect(try await quantities(metric, bench) == quantities(metric, whole), "\(metric)")
        }
    }

    @Test("A handler that reads the result of another day breaks its contract")
    func otherDays() async throws {
        let clauses = HandlerContract.clauses(for: YesterdayHandler())
        var broken: [String] = []
        for clause in clauses { do { try await clause.check() } catch { broken.append(clause.name) } }
        #expect(broken.contains("derives the same result for any grouping of days"))
    }

    @Test("Sleep sessions are results, too", arguments: HandlerContract.clauses(for: SessionsHandler()))
    func contractOfSleep(clause: ContractClause) async throws { try await clause.check() }

    @Test(arguments: HandlerContract.clauses(for: DoublingHandler(HandlerInputTests.double, of: .steps, .activeEnergy)))
    private func contract(clause: ContractClause) async throws { try await clause.check() }
}

/// Counts the sleep sessions of a day.
private struct SessionsHandler: HealthMetricSyncHandler {
    var metric: HealthMetric { HealthMetric(rawValue: "sessions") }
    var reads: [SampleTypeDefinition] { [] }
    var inputs: [HealthMetric] { [.sleep] }
    var results: [MetricDefinition] { [MetricDefinition(metric, unit: "count", kind: .sum)] }
    var version: Int { 1 }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        DerivedDays(
            progress: days.compactMap { day in
                let count = window.sleepSessions(on: day).count
                guard count > 0 else { return nil }
                return DailyProgress(
                    metric: metric, day: day, start: rules.clock.start(of: day), unit: "count",
                    figures: ProgressFigures(quantity: Double(count)))
            })
    }
}

/// Multiplies the steps of a day.
private struct ScalingHandler: HealthMetricSyncHandler {
    static let factor = HandlerSetting("factor", .wholeNumber(1...10, default: 3), "What steps are multiplied by")

    var metric: HealthMetric { HealthMetric(rawValue: "scaled") }
    var reads: [SampleTypeDefinition] { [.stepCount] }
    var settings: [HandlerSetting] { [Self.factor] }
    var version: Int { 1 }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        let merge = CumulativeMerge(metric: metric, unit: "count", days: days, rules: rules)
        var derived = merge.days(of: window[SampleTypeDefinition.stepCount.type])
        for index in derived.progress.indices {
            derived.progress[index].hours = []
            derived.progress[index].figures = ProgressFigures(
                quantity: derived.progress[index].figures.quantity * Double(rules.settings.number(Self.factor)))
        }
        return derived
    }
}

/// Reads the result of the day before, which it must not.
private struct YesterdayHandler: HealthMetricSyncHandler {
    var metric: HealthMetric { HealthMetric(rawValue: "yesterday") }
    var reads: [SampleTypeDefinition] { [] }
    var inputs: [HealthMetric] { [.steps] }
    var results: [MetricDefinition] { [MetricDefinition(metric, unit: "count", kind: .sum)] }
    var version: Int { 1 }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        DerivedDays(
            progress: days.compactMap { day in
                guard let figures = window.figures(of: .steps, on: day.advanced(by: -1)) else { return nil }
                return DailyProgress(
                    metric: metric, day: day, start: rules.clock.start(of: day), unit: "count", figures: figures.figures
                )
            })
    }
}
