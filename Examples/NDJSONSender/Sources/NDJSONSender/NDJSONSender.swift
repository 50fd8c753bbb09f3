import HealthSyncDomain
import HealthSyncPorts

/// Appends each record as a line to a file.
struct NDJSONSender: HealthRecordSender {
    private let file: NDJSONFile

    init(path: String) { file = NDJSONFile(path: path) }

    func capabilities() async -> CapabilityAnswer {
        .capabilities(DestinationCapabilities(batchLimits: [.progress: 500, .sleep: 500, .snapshots: 500]))
    }

    func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        let lines = records.map { record in
            record.isTombstone
                ? JSONLine.bytes(
                    of: TombstoneLine(kind: record.kind.rawValue, id: record.ids[0], revision: record.revision))
                : record.payload
        }
        return BatchContent(body: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    }

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        do throws(NDJSONFile.Problem) {
            let lines = batch.body.split(separator: UInt8(ascii: "\n")).map(Array.init)
            try await file.append(lines, under: batch.key)
            return .delivered(batch)
        } catch {
            switch error {
            case .permanent(let reason):
                return .pause(reason: reason)
            case .temporary(let reason):
                return .retryBatch(reason: reason)
            }
        }
    }
}
