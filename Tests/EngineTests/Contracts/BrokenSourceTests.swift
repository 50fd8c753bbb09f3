import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// The contract suites of sources and formats find the defects that authors make.
struct BrokenSourceTests {
    @Test func aSourceWithoutDefectsKeepsTheContracts() async { #expect(await violations(of: nil) == []) }

    @Test(arguments: DiarySource.Defect.allCases)
    func everyDefectViolatesAClause(_ defect: DiarySource.Defect) async {
        #expect(await violations(of: defect) != [])
    }

    /// Returns the names of the clauses that fail.
    private func violations(of defect: DiarySource.Defect?) async -> [String] {
        let fixture = DiarySource.fixture(defect)
        let clauses =
            HealthDataSourceContract.clauses(for: fixture)
            + HealthSourceFormatContract.clauses(for: DiaryFormat(defect: defect), with: fixture)
        var names: [String] = []
        for clause in clauses {
            do { try await clause.check() } catch { names.append(clause.name) }
        }
        return names
    }
}

/// A format of diaries, which are not files: the name of a diary determines its content.
struct DiaryFormat: HealthSourceFormat {
    let defect: DiarySource.Defect?
    var name: String { "diary" }
    var schemes: [String] { ["diary"] }

    func sources(at location: String, in context: SourceContext) async throws -> FoundSources? {
        // A diary has a name, not a path.
        if location == "missing" || location.hasPrefix("/") { return nil }
        if location == "foreign", defect != .recognizesEverything { return nil }
        return FoundSources([DiarySource(location: location, clock: context.clock, defect: defect)])
    }
}

/// A source of steps in local time and of heart rates in UTC, with or without a defect.
struct DiarySource: HealthDataSource {
    enum Defect: CaseIterable, Sendable {
        case duplicates, losesTheLast, ignoresTheClock, usesTheClockForUTC, wrongValue, wrongLength, constantFingerprint
        case silentEnd, silentDamage, stopsAtDamage, halfASample, swallowsErrors, ignoresCancellation, ignoresSelection
        case losesCount, wrongCode, recognizesEverything, noIdentifier, identifierByZone, fingerprintWithoutZones,
            fingerprintWithoutStays
    }

    let location: String
    let clock: DayClock
    let defect: Defect?
    var provider: String { "diary" }
    var semantics: SourceSemantics { .feed }

    private static let bodyMass = SampleTypeDefinition(
        SampleType(rawValue: "HKQuantityTypeIdentifierBodyMass"), .state, unit: "kg")
    private static let count = 5_000

    static func fixture(_ defect: Defect?) -> HealthDataSourceFixture {
        var fixture = HealthDataSourceFixture(
            whole: "whole", selection: SampleSelection(types: [.stepCount, .heartRate]),
            expected: (0..<count).filter { $0 % 10 > 0 }.map { sample($0, DayClock(home: .utc), nil) },
            broken: "broken", truncated: "truncated", foreign: "foreign", missing: "missing"
        ) { DiarySource(location: $0, clock: DayClock(home: .utc), defect: defect) }
        fixture.localTypes = [SampleTypeDefinition.stepCount.type]
        return fixture
    }

    /// Every tenth entry is a body mass, which is not selected; steps have local times.
    private static func sample(_ index: Int, _ clock: DayClock, _ defect: Defect?) -> SourceSample {
        let day = CalendarDay(ordinal: 19_700 + index / 1_000)
        let minute = Int64(index % 1_000)
        let isSteps = index % 2 == 1
        let definition = index % 10 == 0 ? bodyMass : isSteps ? .stepCount : .heartRate
        let isLocal = isSteps ? defect != .ignoresTheClock : defect == .usesTheClockForUTC
        // No clock of the contract changes its offset within a day.
        let start = (isLocal ? clock.start(of: day) : day.utcStart).advanced(bySeconds: minute * 60)
        return SourceSample(
            type: definition.type, unit: definition.unit, origin: SampleOrigin(sourceName: "Diary"),
            interval: InstantRange(start: start, end: start.advanced(bySeconds: defect == .wrongLength ? 59 : 60)),
            value: Double(60 + index % 7) * (defect == .wrongValue ? 1.01 : 1),
            detail: isSteps ? identity(index, start, defect) : nil)
    }

    private static func identity(_ index: Int, _ start: Instant, _ defect: Defect?) -> SampleDetail? {
        switch defect {
        case .noIdentifier: nil
        case .identifierByZone: SampleDetail(externalID: "\(start)")
        default: SampleDetail(externalID: "step \(index)")
        }
    }

    private var zone: String {
        switch defect {
        case .fingerprintWithoutZones: ""
        case .fingerprintWithoutStays: clock.home.identifier
        default: clock.home.identifier + clock.residences.map { " \($0.firstDay) \($0.rules.identifier)" }.joined()
        }
    }

    func fingerprint() async throws -> SourceFingerprint {
        if location == "missing" { throw failure(defect == .wrongCode ? .badInput : .noInput) }
        return SourceFingerprint(path: location, content: defect == .constantFingerprint ? "" : "\(location) \(zone)")
    }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        _ = try await fingerprint()
        if location == "foreign" { throw failure(.badInput) }
        try Task.checkCancellation()
        var selection = selection
        if defect == .ignoresSelection { selection.includesOtherTypes = true }
        let swallows = defect == .swallowsErrors
        var samples = SampleCollector(selection) { batch in
            do { try receive(batch) } catch  where swallows {}
        }
        for index in 0..<(location == "truncated" ? Self.count * 3 / 4 : Self.count) {
            if defect != .ignoresCancellation { try Task.checkCancellation() }
            if location == "broken", index == 2_501 {
                if defect == .stopsAtDamage { samples.reject("damage"); break }
                if defect == .halfASample { try add(index, of: 3, to: &samples) }
                if defect != .silentDamage, defect != .halfASample { samples.reject("damage", at: Int64(index)) }
            } else {
                try add(index, to: &samples)
            }
        }
        if location == "truncated", defect != .silentEnd { samples.breakOff(at: 9) }
        if defect == .losesCount { samples.account.recordsRead -= 1 }
        return try samples.finish()
    }

    private func add(_ index: Int, of value: Double? = nil, to samples: inout SampleCollector) throws {
        if defect == .losesTheLast, index == Self.count - 1 { return }
        var sample = Self.sample(index, clock, defect)
        sample.value = value ?? sample.value
        try samples.add(sample)
        if defect == .duplicates, index == 4 { try samples.add(sample) }
    }

    private func failure(_ code: SyncFailure.Code) -> SyncFailure {
        SyncFailure(code, subject: location, reason: "not a diary", advice: "name a diary")
    }
}
