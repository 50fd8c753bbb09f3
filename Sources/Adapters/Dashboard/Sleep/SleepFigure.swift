import HealthSyncDomain

/// Figures of sleep.
enum SleepFigure {
    /// What replaces the averages of nights without sleep.
    static let onlyInBed: Markup = "Only the time in bed is known. The nights of 7 and 30 days show it."

    /// Returns a duration; the exact value is in minutes.
    static func duration(_ milliseconds: Int64) -> Markup {
        Figure.number(Double(milliseconds) / 60_000, DurationText.minutes(milliseconds: Double(milliseconds)))
    }

    /// Returns the time asleep; a dash if only time in bed is known.
    static func asleep(_ durations: SleepDurations) -> Markup {
        durations.isSleepKnown ? duration(durations.asleep) : "–"
    }

    /// Returns the share of the time in bed; a dash if it is unknown.
    static func efficiency(_ durations: SleepDurations, _ numbers: NumberForm) -> Markup {
        durations.isSleepKnown ? efficiency(durations.efficiencyPercentage, numbers) : "–"
    }

    /// Returns `94 %`.
    static func efficiency(_ percentage: Double, _ numbers: NumberForm) -> Markup {
        Figure.number(percentage, numbers.rounded(percentage, places: 0) + " %")
    }

    /// Returns the time in each stage that occurred, from deep sleep up.
    static func lengths(_ durations: SleepDurations) -> [(stage: SleepStage, milliseconds: Int64)] {
        [
            (.deep, durations.deep), (.core, durations.core), (.rem, durations.rem),
            (.asleep, durations.unspecified), (.awake, durations.awake),
        ].filter { $0.1 > 0 }
    }
}
