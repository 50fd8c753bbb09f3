import HealthSyncDomain
import HealthSyncPorts

/// The steps and distance in each pair of shoes by day. Days are computed by `AttributedHours` and cached until their
/// inputs change, so that ten years are read in milliseconds.
struct AttributedDays: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings
    let sessions: ShoeSessions
    let now: Instant

    /// Returns every day that may contain figures of the sessions, ascending.
    func read() async throws -> [AttributedDay] {
        guard let days else { return [] }
        let known = try await ports.shoes.attributedDays(of: days, by: rules)
        let computed = try await compute(Self.missing(known, of: days))
        return computed.isEmpty ? known : (known + computed).sorted { $0.day < $1.day }
    }

    /// Computes and caches the missing days. Only the process that may change the database may call this.
    func fillCache() async throws {
        guard let days else { return }
        let known = try await ports.shoes.attributedDays(of: days, by: rules)
        let computed = try await compute(Self.missing(known, of: days))
        if !computed.isEmpty { try await ports.shoes.remember(computed, by: rules) }
    }

    /// The days of the sessions and one more on both sides, because a sample with its own zone belongs to a day of
    /// that zone.
    private var days: DayRange? {
        guard let first = sessions.all.first, let last = sessions.all.last else { return nil }
        let clock = settings.clock
        let end = max(clock.day(of: last.end ?? now), clock.day(of: first.start))
        return DayRange(clock.day(of: first.start), through: end)?.widened(before: 1, after: 1)
    }

    private static func missing(_ known: [AttributedDay], of days: DayRange) -> [CalendarDay] {
        guard known.count < days.count else { return [] }
        let known = Set(known.map(\.day))
        return days.filter { !known.contains($0) }
    }

    private func compute(_ days: [CalendarDay]) async throws -> [AttributedDay] {
        let hours = AttributedHours(ports: ports, settings: settings, sessions: sessions)
        var result: [AttributedDay] = []
        for run in DayRange.runs(of: days, atMost: 366) {
            let found = try await hours.read(run).hours
            result += run.map { AttributedDay(day: $0, sessions: sessions, hours: found[$0] ?? []) }
        }
        return result
    }

    /// A digest of all inputs other than samples, records and sessions. Increase the first number when the division
    /// of hours changes.
    private var rules: ContentDigest {
        var text = "1\u{1F}\(settings.originPriority.preferredNames.joined(separator: "\u{1F}"))"
        let clock = settings.clock
        text += "\u{1E}\(clock.home.canonicalText)"
        for residence in clock.residences { text += "\u{1E}\(residence.firstDay) \(residence.rules.canonicalText)" }
        return ports.hasher.digest(text)
    }
}
