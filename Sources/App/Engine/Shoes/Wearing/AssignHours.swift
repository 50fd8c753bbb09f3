package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Assigns hours of `day` (`8-11,17`, see `DayHours`) to a shoe, archived or not. Sessions of other shoes are
    /// truncated or split. Hours in the future are rejected; the current hour is assigned up to now.
    package func assignHours(_ hours: String, on day: CalendarDay, to id: Shoe.ID) async throws -> HourAttribution {
        let shoe = try await shoe(id)
        let newID = newID
        return try await attribute(hours, on: day) { sessions, range in
            sessions.assign(range, to: shoe.id, newID: newID)
        }
    }

    /// Applies `change` to the sessions, once for each interval of hours of `day`.
    func attribute(
        _ hours: String, on day: CalendarDay, _ change: (inout ShoeSessions, InstantRange) -> Void
    ) async throws -> HourAttribution {
        let now = ports.time.now()
        guard day >= ShoeDetails.earliestDay else {
            throw SyncFailure(
                .usage, subject: "day", reason: "\(day) is before \(ShoeDetails.earliestDay)",
                advice: "use the day on which the shoes were worn")
        }
        let ranges = try DayHours(of: day, clock: settings.clock).ranges(of: hours).map { range in
            guard range.start < now else {
                throw SyncFailure(
                    .usage, subject: "hours", reason: "some of these hours of \(day) have not begun",
                    advice: "use past hours or the current one")
            }
            return InstantRange(start: range.start, end: min(range.end, now))
        }
        let before = try await ports.shoes.sessions()
        var after = before
        for range in ranges { change(&after, range) }
        var commit = ShoeChange(from: before, to: after)
        commit.settled = Set(ranges.map { SettledHours(day: day, start: $0.start) })
        try await store(commit, leadingTo: after)
        return HourAttribution(ranges: ranges, taken: Self.taken(from: before, to: after, in: ranges))
    }

    private static func taken(
        from before: ShoeSessions, to after: ShoeSessions, in ranges: [InstantRange]
    ) -> [Shoe.ID: Int64] {
        var lost: [Shoe.ID: Int64] = [:]
        for range in ranges {
            for (sessions, sign) in [(before, Int64(1)), (after, Int64(-1))] {
                for session in sessions.all[sessions.indices(touching: range)] {
                    let shared = session.interval.intersection(range)?.milliseconds ?? 0
                    lost[session.shoe, default: 0] += sign * shared
                }
            }
        }
        return lost.filter { $0.value > 0 }
    }
}
