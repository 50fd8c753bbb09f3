import HealthSyncDomain

/// Maps the app's names of sleep states to HealthKit's numbers.
enum SleepStateName {
    private static let values = [
        "inbed": 0, "asleep": 1, "unspecified": 1, "asleepunspecified": 1, "awake": 2, "core": 3, "asleepcore": 3,
        "deep": 4, "asleepdeep": 4, "rem": 5, "asleeprem": 5,
    ]

    /// Returns the number of a state given by name (`In Bed`, `Core`, HealthKit's own) or number.
    static func value(_ stated: JSONLine.Value?) throws(RejectedRecord) -> Int {
        switch stated {
        case nil: throw RejectedRecord("sleep without a state")
        case .number(let number):
            guard let value = Int(exactly: number), (0...5).contains(value) else {
                throw RejectedRecord("an unknown sleep state")
            }
            return value
        case .name(let name):
            if let value = SampleTypeDefinition.sleepAnalysis.categoryValues[name] { return value }
            guard let value = values[name.lowercased().filter { $0.isLetter }] else {
                throw RejectedRecord("an unknown sleep state")
            }
            return value
        }
    }
}
