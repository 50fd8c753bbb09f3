extension DailyProgress {
    /// The ids of the day and its hours at servers: `steps/day/2024-01-15`, and for each hour
    /// `steps/hour/2024-01-15/2024-01-15T08:00:00Z`. The id of an hour contains the day, because days of two zones share
    /// hours, and because an hour that moves to another day is another entry.
    package var entryIDs: [String] {
        let hourPrefix = "\(metric.rawValue)/hour/\(day)/"
        return ["\(metric.rawValue)/day/\(day)"] + hours.map { hourPrefix + RFC3339.string($0.start) }
    }
}
