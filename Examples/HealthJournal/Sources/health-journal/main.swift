import Foundation
import HealthJournal
import HealthSyncApp
import HealthSyncDomain

// health-journal show FOLDER DAY     prints the entry of a day as JSON
// health-journal follow FOLDER       prints one line for each day of a metric that changed, until it is stopped
let words = CommandLine.arguments
guard words.count > 2 else {
    FileHandle.standardError.write(
        Data("usage: health-journal show FOLDER DAY, or health-journal follow FOLDER\n".utf8))
    exit(64)
}
do {
    try await run(words[1], HealthSync.open(words[2]), words.dropFirst(3).first)
} catch let failure as SyncFailure {
    FileHandle.standardError.write(Data("health-journal: \(failure)\n".utf8))
    exit(1)
}

func run(_ command: String, _ data: HealthData, _ argument: String?) async throws {
    switch command {
    case "show":
        guard let day = argument.flatMap({ CalendarDay($0) }) else { exit(64) }
        let entry = try await data.read { try await DayEntry(of: day, from: $0) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        print(String(decoding: try encoder.encode(entry), as: UTF8.self))
    case "follow":
        for try await change in data.changes(every: 100) {
            var lines: [String] = []
            for (metric, days) in change.days.sorted(by: { $0.key < $1.key }) {
                lines += days.sorted().map { "\(metric) \($0)" }
            }
            if change.hasOtherShoes { lines.append("shoes") }
            // Not buffered, unlike `print`: the reader of a pipe sees each change at once.
            FileHandle.standardOutput.write(Data(lines.map { $0 + "\n" }.joined().utf8))
        }
    default: exit(64)
    }
}
