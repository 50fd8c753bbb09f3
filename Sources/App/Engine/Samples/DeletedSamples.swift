import HealthSyncDomain
import HealthSyncPorts

extension InputSamples {
    /// Returns the samples of `rows` by type, for matching with the samples of other inputs.
    static func deleted(_ rows: [DeletedRow]) -> [SampleType: [InputSamples]] {
        struct Input: Hashable {
            var provider: String
            var type: SampleType
            var origin: SampleOrigin
        }
        var columns: [Input: SampleColumns] = [:]
        for row in rows {
            guard let content = row.content else { continue }
            let input = Input(provider: row.provider, type: content.key.type, origin: content.key.origin)
            columns[input, default: SampleColumns()].append(content)
        }
        var samples: [SampleType: [InputSamples]] = [:]
        for (input, columns) in columns {
            samples[input.type, default: []].append(
                InputSamples(input: input.provider, origin: input.origin, columns: columns, areDeleted: true))
        }
        return samples
    }
}

extension SampleColumns {
    /// Appends a deleted sample, without zone and details.
    mutating func append(_ content: DeletedRow.Content) {
        let written = writtenValue(of: content.written)
        append(
            start: content.start, duration: content.duration, value: content.value, zoneName: nil, detail: nil,
            written: written)
    }
}
