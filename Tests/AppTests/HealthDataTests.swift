import Foundation
import HealthSyncApp
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestTools
import Testing

func stepsOfWeek(in folder: String) async throws -> [CalendarDay: Double] {
    let data = try await HealthSync.open(folder)
    return try await data.read { reader in
        let week = DayRange(reader.today).widened(before: 6, after: 0)
        let days = try await reader.records.dailyQuantities(of: .steps, days: week)
        return Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0.quantity) })
    }
}

func follow(_ data: HealthData, update: (CalendarDay) async throws -> Void) async throws {
    for try await change in data.changes() {
        for day in change.days[.steps] ?? [] { try await update(day) }
    }
}

@Suite("The data of a folder") struct HealthDataTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// 08:00 and 09:00 UTC on 15 January 2024.
    private static let morning = Instant(seconds: 1_705_305_600)
    private static let later = Instant(seconds: 1_705_309_200)

    @Test("are read as values, in the zone of the stored days")
    func read() async throws {
        _ = try await syncSteps(Pedometer(counts: [(Self.morning, 100), (Self.later, 20)]), into: folder.path)
        let data = try await HealthSync.open(folder.path)
        let day = try #require(CalendarDay("2024-01-15"))
        try await data.read { reader in
            #expect(reader.clock.home.identifier == "Europe/Paris")
            let progress = try await reader.records.progress(of: .steps, days: DayRange(day))
            #expect(progress.map(\.figures.quantity) == [120])
            #expect(progress.first?.hours.map(\.figures.quantity) == [100, 20])
            let samples = try await reader.samples(of: SampleTypeDefinition.stepCount.type, on: DayRange(day))
            #expect(samples.map(\.value) == [100, 20] && samples.allSatisfy { $0.unit == "count" })
            #expect(samples.map(\.interval.start) == [Self.morning, Self.later])
            #expect(try await reader.samples(of: SampleType(rawValue: "none"), on: DayRange(day)).isEmpty)
            #expect(try await reader.sampleTypes().map(\.type) == [SampleTypeDefinition.stepCount.type])
            #expect(try await reader.trend(of: .steps, through: day).recent.map(\.quantity) == [120])
            #expect(try await reader.shoes().isEmpty)
            #expect(try await reader.shoeSessions().isEmpty)
            #expect(try await reader.shoeTotals().isEmpty)
            let journal = try await reader.journal(of: day)
            #expect(journal.total.steps == 120 && journal.hours.count == 24)
        }
    }

    @Test("A folder without a database is an error, and none is created")
    func nothing() async throws {
        let path = folder.path + "/none"
        let failure = await #expect(throws: SyncFailure.self) { _ = try await HealthSync.open(path) }
        #expect(failure?.code == .noInput)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A reader that is kept reads what is stored later")
    func keptReader() async throws {
        _ = try await syncSteps(Pedometer(counts: [(Self.morning, 100)]), into: folder.path)
        let reader = try await HealthSync.open(folder.path).read { $0 }
        let tomorrow = Self.morning.advanced(bySeconds: 86_400)
        _ = try await syncSteps(Pedometer(counts: [(Self.morning, 100), (tomorrow, 7)]), into: folder.path)
        #expect(try await reader.records.recordedDays()?.count == 2)
    }

    @Test("The first change contains everything, and each further one what a run changed")
    func everythingFirst() async throws {
        _ = try await syncSteps(Pedometer(counts: [(Self.morning, 100)]), into: folder.path)
        var changes = try await HealthSync.open(folder.path).changes(every: 10).makeAsyncIterator()
        let day = try #require(CalendarDay("2024-01-15"))
        #expect(try await changes.next()?.days == [.steps: [day]])
        let tomorrow = Self.morning.advanced(bySeconds: 86_400)
        _ = try await syncSteps(Pedometer(counts: [(Self.morning, 100), (tomorrow, 7)]), into: folder.path)
        // A reader may see the database between two transactions of a run.
        var found = DataChange()
        while found.days[.steps] == nil {
            let change = try #require(try await changes.next())
            found.days.merge(change.days) { $0.union($1) }
        }
        #expect(found.days == [.steps: [day.advanced(by: 1)]])
    }

    @Test("The code of the documentation gives the steps of a week, and the days to show")
    func documentedCode() async throws {
        let hourAgo = Instant(milliseconds: Int64(Date().timeIntervalSince1970 - 3_600) * 1_000)
        _ = try await syncSteps(Pedometer(counts: [(Self.morning, 100), (hourAgo, 8)]), into: folder.path)
        #expect(try await stepsOfWeek(in: folder.path).map(\.value) == [8])
        let data = try await HealthSync.open(folder.path)
        struct Seen: Error {}
        var days: Set<CalendarDay> = []
        await #expect(throws: Seen.self) {
            try await follow(data) { day in
                days.insert(day)
                if days.count == 2 { throw Seen() }
            }
        }
        #expect(days.count == 2)
    }

    @Test("The changes end with their task")
    func cancelled() async throws {
        _ = try await syncSteps(Pedometer(counts: [(Self.morning, 100)]), into: folder.path)
        let data = try await HealthSync.open(folder.path)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let follower = Task {
            var count = 0
            for try await _ in data.changes(every: 10) {
                count += 1
                start.finish()
            }
            return count
        }
        for await _ in started {}
        follower.cancel()
        #expect(try await follower.value == 1)
    }

    @Test("A pause is set and ended for every process")
    func pause() async throws {
        _ = try await syncSteps(Pedometer(counts: [(Self.morning, 100)]), into: folder.path)
        let data = try await HealthSync.open(folder.path)
        #expect(!data.isPaused)
        try data.pause()
        #expect(data.isPaused && FileManager.default.fileExists(atPath: folder.path + "/healthsync.paused"))
        #expect(try data.resume())
        #expect(try !data.resume() && !data.isPaused)
    }

    @Test("Without a server, a delivery and a verification are errors")
    func noServer() async throws {
        _ = try await syncSteps(Pedometer(counts: [(Self.morning, 100)]), into: folder.path)
        let data = try await HealthSync.open(folder.path)
        let push = await #expect(throws: SyncFailure.self) { _ = try await data.push() }
        let verify = await #expect(throws: SyncFailure.self) { _ = try await data.verify() }
        #expect(push?.code == .configuration && verify?.code == .configuration)
    }
}
