extension DailyProgress {
    /// The ids under which the day and its hours are delivered: `steps/day/2024-01-15`, then for each hour
    /// `steps/hour/2024-01-15/2024-01-15T08:00:00Z`. An hour's id contains its day because days of two zones share
    /// hours, and because an hour that moves to another day is another entry.
    public var entryIDs: [String] {
        let hourPrefix = "\(metric.rawValue)/hour/\(day)/"
        return ["\(metric.rawValue)/day/\(day)"] + hours.map { hourPrefix + RFC3339.string($0.start) }
    }
}
