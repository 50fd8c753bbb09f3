import Foundation
import HealthSyncDomain

/// The JSON text of the truth file: one object, its days one per line.
struct TruthDocument {
    let scenario: Scenario
    let document: ExportDocument

    private struct Stay: Encodable {
        let from: CalendarDay
        let zone: String
    }

    private struct Head: Encodable {
        let format = "healthsync-truth/1"
        let seed: UInt64
        let homeZone: String
        let timeZones: [Stay]
        let exportDate: String
        let records: [TruthRecordCount]
    }

    func text() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let clock = scenario.timeline.clock
        let head = Head(
            seed: scenario.seed, homeZone: clock.home.identifier,
            timeZones: clock.residences.map { Stay(from: $0.firstDay, zone: $0.rules.identifier) },
            exportDate: RFC3339.string(
                Instant(seconds: scenario.exportMoment), offsetSeconds: scenario.exportOffset),
            records: document.counts)
        var text = try encoder.encode(head)
        text.removeLast()
        text.append(contentsOf: Data(",\"days\":[\n".utf8))
        let planner = scenario.planner
        for day in scenario.timeline.days {
            let truth = TruthDay(planner.plan(of: day), figures: document.truth.figures(of: day), clock: clock)
            text.append(try encoder.encode(truth))
            text.append(contentsOf: Data((day < scenario.timeline.days.last ? ",\n" : "\n").utf8))
        }
        text.append(contentsOf: Data("]}\n".utf8))
        return text
    }
}
