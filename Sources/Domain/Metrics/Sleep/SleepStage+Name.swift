extension SleepStage {
    /// From the lightest to the deepest: the order in which charts and legends show them.
    package static let fromLightest: [SleepStage] = [.inBed, .awake, .rem, .asleep, .core, .deep]

    /// What a person calls it.
    package var name: String {
        switch self {
        case .inBed: "in bed"
        case .rem: "REM"
        case .asleep, .awake, .core, .deep: rawValue
        }
    }
}
