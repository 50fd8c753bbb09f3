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

extension SamplePageCodec {
    /// Decodes the stored page at `key`.
    ///
    /// - Throws: `SyncFailure` with `.storage` for damaged bytes.
    static func decode(_ bytes: [UInt8], at key: SamplePageKey) throws(SyncFailure) -> SampleColumns {
        var columns = SampleColumns()
        try decode(bytes, at: key, onto: &columns)
        return columns
    }

    /// Decodes the stored page at `key` and appends its samples to `columns`.
    ///
    /// - Throws: `SyncFailure` with `.storage` for damaged bytes.
    static func decode(
        _ bytes: [UInt8], at key: SamplePageKey, onto columns: inout SampleColumns
    ) throws(SyncFailure) {
        do {
            try decode(bytes, onto: &columns)
        } catch {
            throw SyncFailure(
                .storage, subject: "the stored page of \(key.type.shortName) on \(key.day)",
                reason: "the data is damaged",
                advice: "restore the database from a backup, or move it away and run `healthsync historical` on the"
                    + " export again")
        }
    }
}
