import HealthSyncDomain

/// The colors of the stages of sleep.
enum StagePalette {
    /// Returns the class that sets the color.
    static func style(_ stage: SleepStage) -> String { stage == .inBed ? "in-bed" : stage.rawValue }

    /// Returns the name next to its color.
    static func sample(_ stage: SleepStage) -> Markup {
        .tag("span", [.class("whole")], .tag("span", [.class("swatch \(style(stage))")]), .text(stage.name))
    }

    /// Returns the legend of the colors.
    static func legend(_ stages: [SleepStage]) -> Markup {
        .tag(
            "ul", [.class("legend"), .init("aria-label", "Colors")],
            stages.map { .tag("li", [.class(style($0))], .text($0.name)) })
    }
}
