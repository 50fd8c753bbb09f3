import HealthSyncDomain

/// Maps the sleep stages of Health Connect, and of apps that also run on iOS, to HealthKit's numbers.
enum HealthConnectStage {
    /// By name in lower case without other characters than letters.
    private static let names = [
        "unknown": 1, "sleeping": 1, "asleep": 1, "awake": 2, "outofbed": 2, "awakeinbed": 2, "light": 3, "core": 3,
        "deep": 4, "rem": 5, "inbed": 0, "asleepunspecified": 1, "asleepcore": 3, "asleepdeep": 4, "asleeprem": 5,
    ]
    /// By Health Connect's own number: unknown, awake, sleeping, out of bed, light, deep, REM, awake in bed.
    private static let numbers = [1, 2, 1, 2, 3, 4, 5, 2]

    /// Returns the number of a stage given by a name in any spelling, such as `out_of_bed`, `OUT_OF_BED` or HealthKit's
    /// `asleepCore`, or by Health Connect's number, which HC Webhook sends as text.
    static func value(_ stage: JSONNode?) throws(RejectedRecord) -> Int {
        if let text = stage?.text {
            let name = String(
                text.prefix(64).lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " })
            if let value = names[name] { return value }
        }
        let number = stage?.number.flatMap { Int(exactly: $0) } ?? stage?.text.flatMap { Int($0) }
        guard let number, numbers.indices.contains(number) else {
            throw RejectedRecord(
                "an unknown sleep state",
                detail: StateProblem.text(
                    stage?.text ?? number.map(String.init), of: SampleTypeDefinition.sleepAnalysis.type.rawValue))
        }
        return numbers[number]
    }
}
