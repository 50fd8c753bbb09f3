/// Maps Health Connect's sleep stages to HealthKit's numbers.
enum HealthConnectStage {
    private static let names = [
        "unknown": 1, "sleeping": 1, "asleep": 1, "awake": 2, "out_of_bed": 2, "awake_in_bed": 2, "light": 3, "core": 3,
        "deep": 4, "rem": 5, "in_bed": 0,
    ]
    /// By Health Connect's own number: unknown, awake, sleeping, out of bed, light, deep, REM, awake in bed.
    private static let numbers = [1, 2, 1, 2, 3, 4, 5, 2]

    /// Returns the number of a stage given by name or by Health Connect's number.
    static func value(_ stage: JSONNode?) throws(RejectedRecord) -> Int {
        if let name = stage?.text, let value = names[name.lowercased()] { return value }
        if let number = stage?.number.flatMap({ Int(exactly: $0) }), numbers.indices.contains(number) {
            return numbers[number]
        }
        throw RejectedRecord("an unknown sleep state")
    }
}
