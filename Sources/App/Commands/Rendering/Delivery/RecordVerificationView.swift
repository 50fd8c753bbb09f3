import HealthSyncDomain
import HealthSyncEngine

/// In what the derived records of the local database and of a server differ. Names records by id and day, never by value.
struct RecordVerificationView {
    let result: RecordVerification

    var lines: [String] { result.kinds.flatMap(lines) }

    private func lines(_ result: RecordVerification.KindResult) -> [String] {
        let name = Self.names[result.kind] ?? result.kind.rawValue
        let removed = result.removedCount > 0 ? ", \(Figures.grouped(result.removedCount)) deleted" : ""
        guard !result.differences.isEmpty else {
            return ["  \(name): the same \(Figures.count(result.localCount, "record")) on both sides\(removed)"]
        }
        let counts = RecordDifference.Kind.allCases.map { "\(Figures.grouped(result.count($0))) \($0.word)" }
        var lines = [
            "  \(name): \(Figures.grouped(result.localCount)) at home, \(Figures.grouped(result.serverCount))"
                + " on the server; " + counts.joined(separator: ", ")
        ]
        var table = TextTable([.left, .left, .left])
        for difference in result.differences.prefix(Self.mostRecords) {
            table.add(difference.kind.word, difference.day.map { "\($0)" } ?? "", difference.id)
        }
        lines += table.lines(indentation: 6)
        let unnamed = result.differences.count - Self.mostRecords
        return unnamed > 0 ? lines + ["    and \(Figures.grouped(unnamed)) more; --json names all"] : lines
    }

    var json: JSONValue {
        .array(
            result.kinds.map { result in
                [
                    "kind": .string(result.kind.rawValue), "records": .count(result.localCount),
                    "serverRecords": .count(result.serverCount), "deletions": .count(result.removedCount),
                    "missing": .count(result.count(.missing)), "surplus": .count(result.count(.surplus)),
                    "changed": .count(result.count(.changed)), "undeleted": .count(result.count(.undeleted)),
                    "differences": .array(
                        result.differences.map { difference in
                            [
                                "id": .string(difference.id), "day": .optional(difference.day.map { "\($0)" }),
                                "difference": .string(difference.kind.rawValue),
                            ]
                        }),
                ]
            })
    }

    private static let names: [RecordKind: String] = [
        .progress: "days and hours", .sleep: "sleep sessions", .snapshots: "activity snapshots",
    ]

    /// So many records of a kind are named on the screen.
    private static let mostRecords = 20
}

extension RecordDifference.Kind {
    /// Seen from the server.
    fileprivate var word: String {
        switch self {
        case .missing: "missing"
        case .surplus: "too many"
        case .changed: "changed"
        case .undeleted: "not known to be deleted"
        }
    }
}
