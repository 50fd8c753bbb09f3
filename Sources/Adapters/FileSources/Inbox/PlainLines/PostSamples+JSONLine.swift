import Foundation
import HealthSyncDomain

extension PostSamples {
    /// Adds a sample in the form of a JSON line.
    mutating func add(_ node: JSONNode, as meaning: inout JSONLineMeaning) throws {
        let sample: SampleDelivery.Sample?
        let isIdentified: Bool
        let type: String
        do throws(RejectedRecord) {
            let line = try Self.line(node)
            isIdentified = line.isIdentified
            sample = try meaning.sample(of: line)
            type = meaning.typeName(of: line)
        } catch {
            return reject(error.reason, at: node)
        }
        guard let sample else { return countNotSelected(type) }
        try add(at: node, written: sample.written, isIdentified: isIdentified) { _ in
            SourceSample(
                type: sample.definition.type, unit: sample.definition.unit, origin: sample.origin,
                interval: sample.interval, value: sample.value, zoneName: sample.zoneName, detail: sample.detail)
        }
    }

    private static func line(_ node: JSONNode) throws(RejectedRecord) -> JSONLine {
        let bytes = node.bytes[node.range]
        // The decoder would interpret bytes with zeros between them as UTF-16 or UTF-32.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw RejectedRecord("not UTF-8")
        }
        if JSONCursor.repeatedMember(in: node.bytes, at: node.range.lowerBound) != nil {
            throw RejectedRecord(RejectedRecord.repeatedMember)
        }
        do { return try JSONDecoder().decode(JSONLine.self, from: Data(bytes)) } catch { throw RejectedRecord(error) }
    }
}
