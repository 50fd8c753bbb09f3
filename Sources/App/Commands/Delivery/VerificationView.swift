import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The differences between the local database and a server. Shows ids and start times of samples, never values.
struct VerificationView: JSONEncodable {
    let report: VerificationReport
    let clock: DayClock

    var lines: [String] {
        var lines = ["\(report.destination): \(verdict)"] + report.types.flatMap(lines)
        if let records = report.records { lines += RecordVerificationView(result: records).lines }
        if report.isRecordless {
            lines.append(
                "  derived records: not verified, because this server provides no digests of them; update the server")
        }
        if let text = outOfDate.text { lines.append("  local database: \(text)") }
        if report.waiting.items > 0, !report.isEqual {
            lines.append(
                "  not yet sent: \(report.waiting.text(number: Figures.grouped)); `healthsync push` sends what waits")
        }
        return lines
    }

    private var outOfDate: OutOfDateView { OutOfDateView(days: report.outOfDate) }

    private var verdict: String {
        let differing = report.differing
        guard let records = report.records else {
            return differing == 0 ? "equal" : Figures.count(differing, "difference")
        }
        guard differing == 0 else {
            return Figures.count(differing, "difference")
        }
        let samples = report.types.reduce(0) { $0 + $1.localCount }
        let compared = Verification.compared(records: records.compared, samples: samples, number: Figures.grouped)
        return "equal, all \(compared) verified"
    }

    private func lines(_ result: VerificationReport.TypeResult) -> [String] {
        let name = result.type.shortName
        guard !result.differences.isEmpty else {
            return ["  \(name): equal, \(Figures.count(result.localCount, "sample")) on both sides"]
        }
        let counts = SampleDifference.Kind.allCases.map { "\(Figures.grouped(result.count($0))) \($0.word)" }
        var lines = [
            "  \(name): \(Figures.grouped(result.localCount)) local, \(Figures.grouped(result.serverCount)) on the server; "
                + counts.joined(separator: ", ")
        ]
        var left = Self.maximumListed
        for difference in result.differences where left > 0 {
            let interval = difference.interval
            lines.append(
                "    \(Figures.wallClock(interval.start, clock)) to \(Figures.wallClock(interval.end, clock)):")
            var table = TextTable([.left, .left, .left])
            for sample in difference.samples.prefix(left) {
                table.add(sample.kind.word, Figures.wallClock(sample.start, clock), sample.id.description)
            }
            lines += table.lines(indentation: 6)
            left -= min(left, difference.samples.count)
        }
        let omitted = result.differences.reduce(0) { $0 + $1.samples.count } - Self.maximumListed
        return omitted > 0 ? lines + ["    and \(Figures.grouped(omitted)) more; --json lists all"] : lines
    }

    var json: JSONValue { document(status) }

    /// Returns `json` with the exit status of the command.
    func document(_ status: ExitStatus) -> JSONValue {
        [
            "server": report.destination,
            "equal": report.isEqual, "types": types,
            "records": records, "outOfDate": outOfDate,
            "waiting": report.waiting,
            "exitStatus": status.rawValue,
        ]
    }

    /// The result for each kind of record; null if derived records were not compared.
    var records: RecordVerificationView? { report.records.map { RecordVerificationView(result: $0) } }

    var types: [JSONValue] { report.types.map(json) }

    private func json(_ result: VerificationReport.TypeResult) -> JSONValue {
        [
            "type": result.type.rawValue, "samples": result.localCount,
            "serverSamples": result.serverCount,
            "missing": result.count(.missing), "surplus": result.count(.surplus),
            "changed": result.count(.changed),
            "intervals": result.differences.map { difference in
                [
                    "start": Figures.local(difference.interval.start, clock),
                    "seconds": difference.interval.seconds,
                    "samples": difference.samples.map(json),
                ] as JSONValue
            },
        ]
    }

    private func json(_ sample: SampleDifference) -> JSONValue {
        [
            "id": sample.id.description, "start": Figures.local(sample.start, clock),
            "difference": sample.kind.rawValue,
        ]
    }

    var status: ExitStatus {
        guard report.isEqual else { return .different }
        return report.isRecordless ? .unverifiable : .done
    }

    /// The maximum number of samples of a type that the text output lists.
    private static let maximumListed = 20
}

extension SampleDifference.Kind {
    /// The difference, from the point of view of the server.
    fileprivate var word: String {
        switch self {
        case .missing: "missing"
        case .surplus: "surplus"
        case .changed: "changed"
        }
    }
}

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
