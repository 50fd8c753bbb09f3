import HealthSyncDomain

/// The account of one reading of a source.
struct ReadingView {
    let reading: SourceReading

    /// What was refused and what was skipped; nothing where all was well.
    var lines: [String] {
        var lines = refused.map { "refused: \(Figures.grouped($0.value)) \($0.key)" }
        if !passedOver.isEmpty {
            let kinds = passedOver.map { "\(Figures.grouped($0.value)) \($0.key)" }
            lines.append("no samples, not read: \(kinds.joined(separator: ", "))")
        }
        if reading.problemCount > 0 {
            lines.append("\(Figures.count(reading.problemCount, "place")) not as it should be:")
            lines += reading.problems.prefix(5).map { problem in
                "  " + (problem.byteOffset.map { "at byte \(Figures.grouped(Int($0))): " } ?? "") + problem.what
            }
            if reading.problemCount > 5 { lines.append("  ...") }
        }
        if let byte = reading.incompleteAtByte {
            lines.append("incomplete: it breaks off at byte \(Figures.grouped(Int(byte)))")
        }
        return lines
    }

    var json: JSONValue {
        [
            "read": .count(reading.recordsRead), "notSelected": .count(reading.notSelected),
            "refused": .object(refused.map { JSONValue.Member(name: $0.key, value: .count($0.value)) }),
            "passedOver": .object(passedOver.map { JSONValue.Member(name: $0.key, value: .count($0.value)) }),
            "problemCount": .count(reading.problemCount),
            "problems": .array(
                reading.problems.map { problem in
                    [
                        "byteOffset": problem.byteOffset.map(JSONValue.integer) ?? .null,
                        "what": .string(problem.what),
                    ]
                }),
            "complete": .bool(reading.isComplete),
            "incompleteAtByte": reading.incompleteAtByte.map(JSONValue.integer) ?? .null,
            "exportDate": .optional(reading.exportDate.map { RFC3339.string($0) }),
        ]
    }

    private var passedOver: [(key: String, value: Int)] { reading.passedOver.sorted { $0.key < $1.key } }
    private var refused: [(key: String, value: Int)] { reading.refused.sorted { $0.key < $1.key } }
}
