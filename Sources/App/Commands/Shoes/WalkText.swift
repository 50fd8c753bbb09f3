import HealthSyncDomain

/// Steps and distance as table cells.
enum WalkText {
    static let heads: [(String, TextTable.Alignment)] = [("steps", .right), ("km", .right)]

    static func cells(_ figures: WalkFigures) -> [String] {
        [
            figures.steps.map { Figures.rounded($0, places: 0) } ?? "-",
            figures.kilometres.map { Figures.fixed($0, places: 2) } ?? "-",
        ]
    }
}
