package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// Keeps the answers of repositories until their records change: every page reads the figures of all years.
package final class RepositoryCache: Sendable {
    enum Query: Hashable {
        case progress(HealthMetric?, DayRange)
        case dailyFigures(HealthMetric?, DayRange)
        case dailyQuantities(HealthMetric, DayRange)
        case nights(DayRange)
        case sleep(DayRange)
        case activitySnapshots(DayRange)
        case recordedDays
        case latestDay(HealthMetric, CalendarDay?)
        case recordedMetrics
        case clock
    }

    private struct Key: Hashable {
        let user: UserName
        let query: Query
    }

    private struct Answer {
        let value: any Sendable
        let version: DataVersion
        let size: Int
        /// The number of the last use, which grows with every use of the cache.
        var lastUse: Int
    }

    private struct State {
        var answers: [Key: Answer] = [:]
        var size = 0
        var uses = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The largest sum of the sizes of all answers, in units of about 100 bytes.
    package init(limit: Int = 200_000) { self.limit = limit }

    /// Returns a repository with the answers of `base` for the current version of the records of `user`; `base` itself if
    /// it has no version.
    package func repository(of user: UserName, over base: any HealthRepository) async throws -> any HealthRepository {
        guard let version = try await base.version() else { return base }
        return CachedHealthRepository(base: base, user: user, version: version, cache: self)
    }

    /// Returns the clock of `user` that follows from the records of `repository`.
    func clock(
        of user: UserName, over repository: any HealthRepository, _ read: () async throws -> DayClock
    ) async throws -> DayClock {
        guard let version = try await repository.version() else { return try await read() }
        return try await answer(to: .clock, of: user, version: version, size: { _ in 4 }, read)
    }

    /// Returns the kept answer, else that of `read`, whose size is `size`. An answer from records that changed since
    /// `version` was read is kept under that version, which no later page has.
    func answer<Value: Sendable>(
        to query: Query, of user: UserName, version: DataVersion, size: (Value) -> Int,
        _ read: () async throws -> Value
    ) async throws -> Value {
        let key = Key(user: user, query: query)
        if let kept = kept(key, version: version), let value = kept as? Value { return value }
        let value = try await read()
        keep(value, size: size(value) + Self.sizeOfQuery, key, version: version)
        return value
    }

    private static let sizeOfQuery = 4

    private func kept(_ key: Key, version: DataVersion) -> (any Sendable)? {
        state.withLock { state in
            guard let answer = state.answers[key], answer.version == version else { return nil }
            state.uses += 1
            state.answers[key]?.lastUse = state.uses
            return answer.value
        }
    }

    private func keep(_ value: any Sendable, size: Int, _ key: Key, version: DataVersion) {
        guard size <= limit / 2 else { return }
        state.withLock { state in
            state.uses += 1
            let answer = Answer(value: value, version: version, size: size, lastUse: state.uses)
            state.size += size - (state.answers.updateValue(answer, forKey: key)?.size ?? 0)
            guard state.size > limit else { return }
            // Half of the limit at once, so that sorting is rare. Answers of earlier versions are among the first.
            for (key, answer) in state.answers.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
                guard state.size > limit / 2 else { break }
                state.answers[key] = nil
                state.size -= answer.size
            }
        }
    }
}

/// Answers from the cache, and otherwise from its base.
private struct CachedHealthRepository: HealthRepository {
    let base: any HealthRepository
    let user: UserName
    let version: DataVersion
    let cache: RepositoryCache

    func progress(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        try await answer(.progress(metric, days), size: Self.size) {
            try await base.progress(of: metric, days: days)
        }
    }

    func dailyFigures(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        try await answer(.dailyFigures(metric, days), size: Self.size) {
            try await base.dailyFigures(of: metric, days: days)
        }
    }

    func dailyQuantities(of metric: HealthMetric, days: DayRange) async throws -> [DailyQuantity] {
        try await answer(.dailyQuantities(metric, days), size: { $0.count / 4 }) {
            try await base.dailyQuantities(of: metric, days: days)
        }
    }

    func nights(days: DayRange) async throws -> [NightTimes] {
        try await answer(.nights(days), size: \.count) { try await base.nights(days: days) }
    }

    func sleep(days: DayRange) async throws -> [SleepSession] {
        try await answer(.sleep(days), size: { $0.reduce(0) { $0 + 4 + $1.stages.count / 3 } }) {
            try await base.sleep(days: days)
        }
    }

    func activitySnapshots(days: DayRange) async throws -> [ActivitySnapshot] {
        try await answer(.activitySnapshots(days), size: { $0.count * 2 }) {
            try await base.activitySnapshots(days: days)
        }
    }

    func recordedDays() async throws -> DayRange? {
        try await answer(.recordedDays, size: { _ in 1 }) { try await base.recordedDays() }
    }

    func latestDay(of metric: HealthMetric, through last: CalendarDay?) async throws -> CalendarDay? {
        try await answer(.latestDay(metric, last), size: { _ in 1 }) {
            try await base.latestDay(of: metric, through: last)
        }
    }

    func recordedMetrics() async throws -> [HealthMetric] {
        try await answer(.recordedMetrics, size: \.count) { try await base.recordedMetrics() }
    }

    func version() async throws -> DataVersion? { version }

    private func answer<Value: Sendable>(
        _ query: RepositoryCache.Query, size: (Value) -> Int, _ read: () async throws -> Value
    ) async throws -> Value {
        try await cache.answer(to: query, of: user, version: version, size: size, read)
    }

    private static func size(_ progress: [DailyProgress]) -> Int {
        progress.reduce(0) { $0 + 2 + $1.hours.count + $1.origins.count }
    }
}
