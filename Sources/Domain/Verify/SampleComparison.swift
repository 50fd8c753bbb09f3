/// Compares local samples with those of a server.
package enum SampleComparison {
    /// Returns the samples that differ, ascending by start and id.
    package static func differences(local: [RawSample], server: [RawSample]) -> [SampleDifference] {
        var unmatched: [SampleID: RawSample] = [:]
        for sample in server { unmatched[sample.id] = sample }
        var differences: [SampleDifference] = []
        for sample in local {
            guard let other = unmatched.removeValue(forKey: sample.id) else {
                differences.append(SampleDifference(kind: .missing, id: sample.id, start: sample.start))
                continue
            }
            if sample.start != other.start || sample.end != other.end || sample.value != other.value {
                differences.append(
                    SampleDifference(kind: .changed, id: sample.id, start: sample.start, revision: other.revision))
            }
        }
        differences += unmatched.values.map {
            SampleDifference(kind: .surplus, id: $0.id, start: $0.start, revision: $0.revision)
        }
        return differences.sorted {
            ($0.start, $0.id.high, $0.id.low) < ($1.start, $1.id.high, $1.id.low)
        }
    }
}
