import HealthSyncDomain

/// Fixed colours of the stages of sleep.
enum StagePalette {
    /// The class that sets its colour.
    static func style(_ stage: SleepStage) -> String { stage == .inBed ? "in-bed" : stage.rawValue }

    /// The name beside the colour.
    static func sample(_ stage: SleepStage) -> Markup {
        .tag("span", [.class("whole")], .tag("span", [.class("swatch \(style(stage))")]), .text(stage.name))
    }

    /// What the colours mean.
    static func legend(_ stages: [SleepStage]) -> Markup {
        .tag(
            "ul", [.class("legend"), .init("aria-label", "Colours")],
            stages.map { .tag("li", [.class(style($0))], .text($0.name)) })
    }
}
