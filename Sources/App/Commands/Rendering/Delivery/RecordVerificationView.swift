import HealthSyncDomain
import HealthSyncEngine

/// The differences between the derived records of the local database and of a server. Shows ids and days, never values.
struct RecordVerificationView: JSONEncodable {
    let result: RecordVerification

    var lines: [String] { result.kinds.flatMap(lines) }

    private func lines(_ result: RecordVerification.KindResult) -> [String] {
        let removed = result.removedCount > 0 ? ", \(Figures.grouped(result.removedCount)) deleted" : ""
        guard !result.differences.isEmpty else {
            let name = Self.names[result.kind] ?? result.kind.rawValue
            let hours = result.localHours > 0 ? " with \(Figures.count(result.localHours, "hour"))" : ""
            return ["  \(name): equal, \(Figures.count(result.localRecords, "record"))\(hours) on both sides\(removed)"]
        }
        let counts = RecordDifference.Kind.allCases.map { "\(Figures.grouped(result.count($0))) \($0.word)" }
        let name = result.localHours > 0 ? "days and hours" : Self.names[result.kind] ?? result.kind.rawValue
        var lines = [
            "  \(name): \(Figures.grouped(result.localEntries)) local, \(Figures.grouped(result.serverEntries))"
                + " on the server; " + counts.joined(separator: ", ")
        ]
        var table = TextTable([.left, .left, .left])
        for difference in result.differences.prefix(Self.maximumListed) {
            table.add(difference.kind.word, difference.day.map { "\($0)" } ?? "", difference.id)
        }
        lines += table.lines(indentation: 6)
        let omitted = result.differences.count - Self.maximumListed
        return omitted > 0 ? lines + ["    and \(Figures.grouped(omitted)) more; --json lists all"] : lines
    }

    var json: JSONValue {
        .array(
            result.kinds.map { result in
                [
                    "kind": result.kind.rawValue, "records": result.localRecords,
                    "entries": result.localEntries, "serverEntries": result.serverEntries,
                    "serverRecords": result.serverEntries, "deletions": result.removedCount,
                    "missing": result.count(.missing), "surplus": result.count(.surplus),
                    "changed": result.count(.changed), "undeleted": result.count(.undeleted),
                    "differences": result.differences.map { difference in
                        [
                            "id": difference.id, "day": difference.day,
                            "difference": difference.kind.rawValue,
                        ] as JSONValue
                    },
                ] as JSONValue
            })
    }

    private static let names: [RecordKind: String] = [
        .progress: "days", .sleep: "sleep sessions", .snapshots: "activity snapshots",
    ]

    /// The maximum number of records of a kind that the text output lists.
    private static let maximumListed = 20
}

extension RecordDifference.Kind {
    /// The difference, from the point of view of the server.
    fileprivate var word: String {
        switch self {
        case .missing: "missing"
        case .surplus: "surplus"
        case .changed: "changed"
        case .undeleted: "not deleted"
        }
    }
}
