import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

@Suite("Answers kept for pages")
struct RepositoryCacheTests {
    private static let days = StoreSamples.days(0, 19)

    /// Every query of the days from `first` to `last`, with its answer as text.
    private static func answers(
        _ repository: any HealthRepository, _ first: Int, _ last: Int
    ) async throws -> [String] {
        let days = StoreSamples.days(first, last)
        return [
            "\(try await repository.progress(of: nil, days: days))",
            "\(try await repository.progress(of: .steps, days: days))",
            "\(try await repository.dailyFigures(of: nil, days: days))",
            "\(try await repository.dailyFigures(of: .heartRate, days: days))",
            "\(try await repository.dailyQuantities(of: .steps, days: days))",
            "\(try await repository.dailyQuantities(of: .sleep, days: days))",
            "\(try await repository.nights(days: days))", "\(try await repository.sleep(days: days))",
            "\(try await repository.activitySnapshots(days: days))",
            "\(String(describing: try await repository.recordedDays()))",
            "\(String(describing: try await repository.latestDay(of: .steps, through: days.last)))",
            "\(String(describing: try await repository.latestDay(of: .sleep, through: nil)))",
            "\(try await repository.recordedMetrics())",
        ]
    }

    private static func change(_ stores: InMemoryStores, _ random: inout SeededRandom) async throws {
        let metric: HealthMetric = Bool.random(using: &random) ? .steps : .heartRate
        var commit = SyncCommit(metric: metric)
        let day = Int.random(in: 0...19, using: &random)
        commit.progress = [
            StoreSamples.progress(metric, day: day, quantity: Double.random(in: 1...9_000, using: &random))
        ]
        if Bool.random(using: &random) { commit.sleep = [StoreSamples.session("main\(day)", day: day)] }
        if Bool.random(using: &random) { commit.snapshots = [StoreSamples.snapshot(day: day, steps: Double(day))] }
        try await stores.tracking.commit(commit)
    }

    /// The limits keep nothing, little, and everything.
    @Test("Answers are those of the repository after any changes", arguments: [0, 60, 100_000], [1, 2, 3] as [UInt64])
    func equality(limit: Int, seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let cache = RepositoryCache(limit: limit)
        let users = try ["local", "anna", "ben"].map { try #require(UserName($0)) }
        let stores = Dictionary(uniqueKeysWithValues: users.map { ($0, InMemoryStores(time: ManualTime())) })
        for _ in 0..<60 {
            let user = try #require(users.randomElement(using: &random))
            let own = try #require(stores[user])
            let cached = try await cache.repository(of: user, over: own.repository)
            let first = Int.random(in: 0...2, using: &random)
            let answers = try await Self.answers(cached, first, 19)
            #expect(answers == (try await Self.answers(own.repository, first, 19)))
            if Int.random(in: 0..<3, using: &random) == 0 { try await Self.change(own, &random) }
        }
    }

    @Test("A query is read once for a version, and each time without one")
    func reads() async throws {
        let stores = InMemoryStores(time: ManualTime())
        var random = SeededRandom(seed: 4)
        try await Self.change(stores, &random)
        for hasVersion in [true, false] {
            let base = CountedRepository(base: stores.repository, hasVersion: hasVersion)
            let cache = RepositoryCache()
            for round in 1...3 {
                let repository = try await cache.repository(of: .local, over: base)
                _ = try await repository.dailyFigures(of: .steps, days: Self.days)
                _ = try await repository.latestDay(of: .sleep, through: StoreSamples.day(0))
                #expect(base.reads == (hasVersion ? 2 : 2 * round))
            }
            try await Self.change(stores, &random)
            let repository = try await cache.repository(of: .local, over: base)
            _ = try await repository.dailyFigures(of: .steps, days: Self.days)
            #expect(base.reads == (hasVersion ? 3 : 7))
        }
    }

    @Test("Beyond the limit the answers that were not used for longest are dropped, down to half of it")
    func limit() async throws {
        let stores = InMemoryStores(time: ManualTime())
        let base = CountedRepository(base: stores.repository, hasVersion: true)
        // An answer of one day or none has a size of 5.
        let cache = RepositoryCache(limit: 12)
        let users = try ["local", "anna", "ben"].map { try #require(UserName($0)) }
        func read(_ user: UserName) async throws -> Int {
            let before = base.reads
            _ = try await cache.repository(of: user, over: base).latestDay(of: .steps, through: nil)
            return base.reads - before
        }
        var reads: [Int] = []
        for index in [0, 1, 0, 1, 0, 2, 0, 2, 1] { reads.append(try await read(users[index])) }
        #expect(reads == [1, 1, 0, 0, 0, 1, 1, 0, 1])
    }

    @Test("An answer that is used again and again stays, whatever else is asked")
    func often() async throws {
        let stores = InMemoryStores(time: ManualTime())
        let base = CountedRepository(base: stores.repository, hasVersion: true)
        let cache = RepositoryCache(limit: 100)
        for day in 0..<200 {
            let repository = try await cache.repository(of: .local, over: base)
            _ = try await repository.latestDay(of: .steps, through: nil)
            _ = try await repository.latestDay(of: .steps, through: StoreSamples.day(day))
        }
        #expect(base.reads == 201)
    }
}

/// Counts the queries of two methods.
private final class CountedRepository: HealthRepository {
    private let base: any HealthRepository
    private let hasVersion: Bool
    private let count = Mutex(0)

    init(base: any HealthRepository, hasVersion: Bool) {
        self.base = base
        self.hasVersion = hasVersion
    }

    var reads: Int { count.withLock { $0 } }

    func dailyFigures(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        count.withLock { $0 += 1 }
        return try await base.dailyFigures(of: metric, days: days)
    }
    func latestDay(of metric: HealthMetric, through last: CalendarDay?) async throws -> CalendarDay? {
        count.withLock { $0 += 1 }
        return try await base.latestDay(of: metric, through: last)
    }
    func version() async throws -> DataVersion? { hasVersion ? try await base.version() : nil }
    func progress(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        try await base.progress(of: metric, days: days)
    }
    func sleep(days: DayRange) async throws -> [SleepSession] { try await base.sleep(days: days) }
    func activitySnapshots(days: DayRange) async throws -> [ActivitySnapshot] {
        try await base.activitySnapshots(days: days)
    }
    func recordedDays() async throws -> DayRange? { try await base.recordedDays() }
    func recordedMetrics() async throws -> [HealthMetric] { try await base.recordedMetrics() }
}
