extension SleepStage {
    /// The stages from the lightest to the deepest, the order in charts and legends.
    package static let fromLightest: [SleepStage] = [.inBed, .awake, .rem, .asleep, .core, .deep]

    /// The name to show.
    package var name: String {
        switch self {
        case .inBed: "in bed"
        case .rem: "REM"
        case .asleep, .awake, .core, .deep: rawValue
        }
    }
}
