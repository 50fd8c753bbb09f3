import HealthSyncDomain

/// Names and fixed colours of the stages of sleep, from the lightest to the deepest.
enum StagePalette {
    /// From the top of a hypnogram to its bottom.
    static let order: [SleepStage] = [.inBed, .awake, .rem, .asleep, .core, .deep]

    static func name(_ stage: SleepStage) -> String {
        switch stage {
        case .inBed: "in bed"
        case .asleep: "asleep"
        case .awake: "awake"
        case .core: "core"
        case .deep: "deep"
        case .rem: "REM"
        }
    }

    /// The class that sets its colour.
    static func style(_ stage: SleepStage) -> String { stage == .inBed ? "in-bed" : stage.rawValue }

    /// The name beside the colour.
    static func sample(_ stage: SleepStage) -> Markup {
        .tag("span", [.class("whole")], .tag("span", [.class("swatch \(style(stage))")]), .text(name(stage)))
    }

    /// What the colours mean.
    static func legend(_ stages: [SleepStage]) -> Markup {
        .tag(
            "ul", [.class("legend"), .init("aria-label", "Colours")],
            stages.map { .tag("li", [.class(style($0))], .text(name($0))) })
    }
}
