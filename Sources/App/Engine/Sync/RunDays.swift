import HealthSyncDomain

/// The days of a run, as its scope states them.
struct RunDays: Sendable {
    let scope: RunScope
    /// Today and as many days before it as the scope states, or a default.
    private let recent: DayRange

    init(_ scope: RunScope, settings: EngineSettings, now: Instant) {
        self.scope = scope
        var lookBackDays: Int?
        if case .daily(let days) = scope { lookBackDays = days }
        recent = settings.recentDays(lookBackDays, at: now)
    }

    /// The days that the user requested explicitly; `nil` if they depend on the stored data.
    var stated: DayRange? {
        switch scope {
        case .daily(nil): nil
        case .daily: recent
        case .historical(let from?, let to?): DayRange(from, through: to)
        case .historical: nil
        }
    }

    /// The days that the run may count by another clock; `nil` for all.
    var recountable: DayRange? {
        switch scope {
        // An unbounded daily run derives all days, but the zone of the moment must not recount years without a request.
        case .daily: recent
        case .historical(nil, nil): nil
        case .historical(let from, let to):
            DayRange(from ?? CalendarDay(ordinal: -1_000_000), through: to ?? CalendarDay(ordinal: 3_000_000))
                ?? DayRange(from ?? recent.last)
        }
    }

    /// Returns the days to derive; `nil` if none of the `known` days is among them. With `all`, these are the days of
    /// the scope and all others that are known.
    func covered(of known: DayRange?, all: Bool) -> DayRange? {
        let asked = asked(of: known)
        guard all, let known else { return asked }
        return asked.map { DayRange(min($0.first, known.first), through: max($0.last, known.last)) } ?? known
    }

    private func asked(of known: DayRange?) -> DayRange? {
        switch scope {
        case .daily(nil): return known ?? recent
        case .daily: return recent
        case .historical(let from, let to):
            guard let known else { return nil }
            return DayRange(max(from ?? known.first, known.first), through: min(to ?? known.last, known.last))
        }
    }
}
