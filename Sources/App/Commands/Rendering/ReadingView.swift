import HealthSyncDomain

/// The counts and problems of reading a source.
struct ReadingView: JSONEncodable {
    let reading: SourceReading

    /// Lines about rejected and skipped elements and problems; empty without any.
    var lines: [String] {
        var lines = rejected.map { "rejected: \(Figures.grouped($0.value)) \($0.key)" }
        if let others { lines.append("of other types: " + others) }
        if !skipped.isEmpty {
            let kinds = skipped.map { "\(Figures.grouped($0.value)) \($0.key)" }
            lines.append("skipped, not samples: \(kinds.joined(separator: ", "))")
        }
        if reading.problemCount > 0 {
            lines.append("\(Figures.count(reading.problemCount, "problem")):")
            lines += reading.problems.prefix(5).map { problem in
                "  " + (problem.byteOffset.map { "at byte \(Figures.grouped(Int($0))): " } ?? "") + problem.what
            }
            if reading.problemCount > 5 { lines.append("  ...") }
        }
        if let byte = reading.incompleteAtByte {
            lines.append(
                "incomplete: data are missing at byte \(Figures.grouped(Int(byte))); what was read is kept, export it again"
            )
        }
        return lines
    }

    /// The types that are not kept, the most frequent first; `nil` if none is named but those of skipped elements.
    private var others: String? {
        let types = reading.notSelectedTypes.filter { reading.skippedElements[$0.key] == nil }.sorted {
            ($1.value, $0.key) < ($0.value, $1.key)
        }
        guard !types.isEmpty else { return nil }
        let named = types.prefix(Self.mostTypes).map {
            "\(SampleType(rawValue: $0.key).shortName) \(Figures.grouped($0.value))"
        }
        let more = types.count - named.count
        return (named + (more > 0 ? ["and \(Figures.count(more, "type")) more"] : [])).joined(separator: ", ")
    }

    private static let mostTypes = 12

    var json: JSONValue {
        let rejected = JSONValue.object(of: rejected)
        let skipped = JSONValue.object(of: skipped)
        return [
            "read": reading.recordsRead, "notSelected": reading.notSelected,
            "notSelectedTypes": JSONValue.object(of: reading.notSelectedTypes.sorted { $0.key < $1.key }),
            "rejectedByReason": rejected, "rejected": rejected, "refused": rejected, "skipped": skipped,
            "passedOver": skipped,
            "problemCount": reading.problemCount,
            "problems": reading.problems.map { problem in
                [
                    "byteOffset": problem.byteOffset,
                    "what": problem.what,
                ] as JSONValue
            },
            "complete": reading.isComplete,
            "incompleteAtByte": reading.incompleteAtByte,
            "exportDate": reading.exportDate,
        ]
    }

    private var skipped: [(key: String, value: Int)] { reading.skippedElements.sorted { $0.key < $1.key } }
    private var rejected: [(key: String, value: Int)] { reading.rejected.sorted { $0.key < $1.key } }
}
