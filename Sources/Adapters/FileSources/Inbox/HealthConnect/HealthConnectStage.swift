/// Maps the sleep stages of Health Connect, and of apps that also run on iOS, to HealthKit's numbers.
enum HealthConnectStage {
    /// By name in lower case without other characters than letters.
    private static let names = [
        "unknown": 1, "sleeping": 1, "asleep": 1, "asleepunspecified": 1, "awake": 2, "outofbed": 2, "awakeinbed": 2,
        "light": 3, "core": 3, "asleepcore": 3, "deep": 4, "asleepdeep": 4, "rem": 5, "asleeprem": 5, "inbed": 0,
    ]
    /// By Health Connect's own number: unknown, awake, sleeping, out of bed, light, deep, REM, awake in bed.
    private static let numbers = [1, 2, 1, 2, 3, 4, 5, 2]

    /// Returns the number of a stage given by name or by Health Connect's number, which some apps send as text.
    static func value(_ stage: JSONNode?) throws(RejectedRecord) -> Int {
        if let name = stage?.text, let value = names[name.lowercased().filter(\.isLetter)] { return value }
        let number = stage?.number.flatMap { Int(exactly: $0) } ?? stage?.text.flatMap { Int($0) }
        if let number, numbers.indices.contains(number) { return numbers[number] }
        throw RejectedRecord("an unknown sleep state")
    }
}
