import HealthSyncApp
import HealthSyncDomain
import HealthSyncPorts

/// A day as a journal shows it.
public struct DayEntry: Codable, Sendable, Equatable {
    /// The day, `YYYY-MM-DD`.
    public var day: String
    /// The quantity of each metric, in its unit.
    public var figures: [String: Double]
    /// The main sleep; `nil` without one.
    public var night: Night?
    /// The shoes worn, in the order in which they were first worn.
    public var shoes: [WornShoe]
    /// The mean steps a day of the thirty days that end with the day; `nil` for too few days.
    public var usualSteps: Double?

    /// The main sleep of a day.
    public struct Night: Codable, Sendable, Equatable {
        /// Minutes asleep by stage; `asleep` is their sum.
        public var minutes: [String: Double]
        /// The apps and devices that recorded it.
        public var sources: [String]
    }

    /// A pair of shoes on the day.
    public struct WornShoe: Codable, Sendable, Equatable {
        /// Brand and model.
        public var name: String
        /// The steps walked in it.
        public var steps: Double
    }
}

extension DayEntry {
    /// Reads the entry of `day`.
    public init(of day: CalendarDay, from reader: HealthReader) async throws {
        self.day = "\(day)"
        let days = DayRange(day)
        figures = [:]
        for progress in try await reader.records.dailyFigures(of: nil, days: days) {
            figures[progress.metric.rawValue] = progress.figures.quantity
        }
        night = Night(of: try await reader.records.sleep(days: days))
        let names = Dictionary(uniqueKeysWithValues: try await reader.shoes().map { ($0.id, $0.name) })
        shoes = try await reader.journal(of: day).uses.map { use in
            WornShoe(name: names[use.shoe] ?? "", steps: use.figures.steps ?? 0)
        }
        usualSteps = try await reader.trend(of: .steps, through: day).average
    }
}

extension DayEntry.Night {
    /// The main sleep among the sessions of a day; `nil` without one. Each recorder has a session, and the share of a session
    /// is what counts of it: shares do not overlap.
    init?(of sessions: [SleepSession]) {
        let parts = sessions.filter { $0.role == .main && $0.share != nil }
        guard !parts.isEmpty else { return nil }
        let stages: [(String, KeyPath<SleepDurations, Int64>)] = [
            ("asleep", \.asleep), ("core", \.core), ("deep", \.deep), ("rem", \.rem), ("awake", \.awake),
        ]
        minutes = [:]
        for (name, stage) in stages {
            minutes[name] = Double(parts.reduce(0) { $0 + ($1.share?.durations[keyPath: stage] ?? 0) }) / 60_000
        }
        sources = Set(parts.map(\.origin.sourceName)).sorted()
    }
}
