import HealthSyncDomain
import HealthSyncPorts

/// Runs a handler for the clauses of `HandlerContract`.
struct HandlerBench: Sendable {
    let handler: any HealthMetricSyncHandler
    private let clock: DayClock
    private let days: DayRange
    private let samples: [SampleType: [OriginSamples]]
    private let inputs: DerivedDays

    /// Creates samples for twelve days in Paris. The clocks change on the seventh day.
    init(handler: any HealthMetricSyncHandler, seed: UInt64) {
        self.handler = handler
        // Without zone files the clauses are checked in UTC, without a change of clocks.
        clock = DayClock(home: (try? ZoneRules(identifier: "Europe/Paris")) ?? .utc)
        let seventh = CalendarDay(ordinal: 19_813)
        days = DayRange(seventh).widened(before: 6, after: 5)
        samples = HandlerSamples(of: handler.reads, on: days, clock: clock, seed: seed).samples
        inputs = HandlerInputs.random(of: handler.inputs, on: days, clock: clock, seed: seed)
    }

    /// What the handler is given: the types that it reads, and the metrics that are its inputs.
    var given: String {
        let types = handler.reads.map(\.type.shortName).joined(separator: ", ")
        let metrics = handler.inputs.map(\.rawValue).joined(separator: ", ")
        return
            "samples (reads: \(types.isEmpty ? "nothing" : types)) and results (inputs: \(metrics.isEmpty ? "nothing" : metrics))"
    }

    /// The samples and implausible ones.
    var implausibleSamples: [SampleType: [OriginSamples]] {
        samples.merging(
            HandlerSamples.implausible(of: handler.reads, on: days.first.advanced(by: 3), clock: clock),
            uniquingKeysWith: +)
    }

    func context(
        samples other: [SampleType: [OriginSamples]]? = nil, inputs others: DerivedDays? = nil, maximumDays: Int = 4,
        failure: (any Error)? = nil
    ) -> InMemorySyncContext {
        InMemorySyncContext(
            days: days, clock: clock, samples: other ?? samples, inputs: others ?? inputs, maximumDays: maximumDays,
            failure: failure)
    }

    func result(
        samples other: [SampleType: [OriginSamples]]? = nil, inputs others: DerivedDays? = nil,
        scope: SyncRequest.Scope = .historical, maximumDays: Int = 4
    ) async throws -> DerivedDays {
        let context = context(samples: other, inputs: others, maximumDays: maximumDays)
        _ = try await run(scope, in: context)
        return context.derived(by: handler.metric)
    }

    func requireThrown(
        _ failure: any Error, _ scope: SyncRequest.Scope, _ isSame: (any Error) -> Bool
    ) async throws {
        do {
            let outcome = try await run(scope, in: context(failure: failure))
            throw ContractViolation("\(scope): did not throw \(failure), but returned \(outcome)")
        } catch let violation as ContractViolation {
            throw violation
        } catch {
            try ContractViolation.unless(isSame(error), "\(scope): threw \(error) instead of \(failure)")
        }
    }

    func requireSame(_ actual: DerivedDays, _ expected: DerivedDays, _ how: String) throws {
        let pairs = zip(actual.progress, expected.progress)
        if let (actual, expected) = pairs.first(where: { $0 != $1 }) {
            throw ContractViolation("\(how): \(expected.metric) of \(expected.day) is \(actual), not \(expected)")
        }
        try ContractViolation.unlessEqual(actual.progress.count, expected.progress.count, "\(how): days with figures")
        try ContractViolation.unlessEqual(actual.sleepSessions, expected.sleepSessions, "\(how): sleep sessions")
        try ContractViolation.unlessEqual(actual.skipped, expected.skipped, "\(how): skipped samples")
    }

    func requireConsistent(_ derived: DerivedDays) throws {
        var seen: Set<ProgressKey> = []
        for day in derived.progress {
            let what = "\(day.metric) of \(day.day)"
            let isNew = seen.insert(ProgressKey(metric: day.metric, day: day.day)).inserted
            try ContractViolation.unless(isNew, "\(what) is derived twice")
            try day.requireConsistent(what)
        }
        for session in derived.sleepSessions { try session.requireConsistent() }
    }

    func requireRounded(_ derived: DerivedDays) throws {
        for day in derived.progress {
            for figures in [day.figures] + day.hours.map(\.figures) where figures.quantity.isFinite {
                try ContractViolation.unlessEqual(
                    figures.quantity, figures.quantity.asFigure, "\(day.metric) of \(day.day)")
            }
        }
    }

    func requireDeclared(_ derived: DerivedDays) throws {
        let units = Dictionary(handler.results.map { ($0.metric, $0.unit) }, uniquingKeysWith: { first, _ in first })
        for day in derived.progress {
            guard let unit = units[day.metric] else {
                throw ContractViolation("derived \(day.metric), which is not among its results")
            }
            try ContractViolation.unlessEqual(day.unit, unit, "the unit of \(day.metric)")
        }
        try ContractViolation.unless(
            derived.sleepSessions.isEmpty || handler.metric == .sleep, "derived sleep sessions, but is not \"sleep\"")
    }

    private func run(_ scope: SyncRequest.Scope, in context: InMemorySyncContext) async throws -> SyncOutcome {
        switch scope {
        case .daily: try await handler.syncDaily(in: context)
        case .historical: try await handler.syncHistorical(in: context)
        }
    }
}

extension DailyProgress {
    fileprivate func requireConsistent(_ what: String) throws {
        for figures in [figures] + hours.map(\.figures) {
            let all = [figures.quantity, figures.minimum ?? 0, figures.maximum ?? 0]
            try ContractViolation.unless(all.allSatisfy(\.isFinite), "\(what) has a figure that is not finite")
            try ContractViolation.unless((figures.count ?? 1) > 0, "\(what) has a measurement count below 1")
            // A mean over time may be outside, because a measurement of an earlier hour may hold in this one.
            if figures.heldMilliseconds == nil, let minimum = figures.minimum, let maximum = figures.maximum {
                let isBetween = minimum <= figures.quantity && figures.quantity <= maximum
                try ContractViolation.unless(
                    isBetween, "\(what): \(figures.quantity) is not between \(minimum) and \(maximum)")
            }
        }
        let starts = hours.map(\.start)
        try ContractViolation.unless(zip(starts, starts.dropFirst()).allSatisfy(<), "\(what): hours are not ascending")
        if figures.count == nil, !hours.isEmpty {
            let sum = hours.reduce(0) { $0 + $1.figures.quantity }
            let isSame = abs(sum - figures.quantity) <= 1e-9 * max(1, abs(sum))
            try ContractViolation.unless(isSame, "\(what): hours sum to \(sum), the day is \(figures.quantity)")
        }
    }
}

extension SleepSession {
    fileprivate func requireConsistent() throws {
        let what = "sleep of \(day)"
        let isInside = stages.allSatisfy { interval.start <= $0.interval.start && $0.interval.end <= interval.end }
        try ContractViolation.unless(isInside, "\(what): a stage is outside its session")
        let slept = durations.core + durations.deep + durations.rem + durations.unspecified
        try ContractViolation.unlessEqual(durations.asleep, slept, "\(what): time asleep")
        let isRate = (0...100).contains(durations.efficiencyPercentage)
        try ContractViolation.unless(isRate, "\(what): efficiency \(durations.efficiencyPercentage)")
        if !stages.isEmpty {
            let fits = durations.asleep + durations.awake <= durations.inBed
            try ContractViolation.unless(fits, "\(what): more sleep than time in bed")
        }
    }
}
