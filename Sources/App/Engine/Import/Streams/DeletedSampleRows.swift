import HealthSyncDomain

/// Samples of a page that are to be removed: by their identifier, or by their content if they have none.
struct DeletedSampleRows {
    private struct Row: Hashable {
        var start: Int64
        var duration: Int64
        var value: Double
        var externalID: ExactText?

        init(_ samples: SampleColumns, _ row: Int) {
            start = samples.starts[row]
            duration = samples.durations[row]
            value = samples.values[row]
            externalID = samples.details[row]?.externalID.map { ExactText($0) }
        }
    }

    private var rows: Set<Row> = []

    var isEmpty: Bool { rows.isEmpty }

    mutating func insert(_ samples: SampleColumns, _ row: Int) { rows.insert(Row(samples, row)) }
    mutating func remove(_ samples: SampleColumns, _ row: Int) { rows.remove(Row(samples, row)) }
    mutating func formUnion(_ other: DeletedSampleRows) { rows.formUnion(other.rows) }
    func contains(_ samples: SampleColumns, _ row: Int) -> Bool { rows.contains(Row(samples, row)) }

    /// Returns the samples that remain.
    func removed(from samples: SampleColumns) -> SampleColumns {
        let kept = samples.starts.indices.filter { !contains(samples, $0) }
        return kept.count == samples.count ? samples : samples.selecting(kept)
    }

    /// Returns the identifier under which a deleted sample is remembered.
    static func identifier(of samples: SampleColumns, _ row: Int, at key: SamplePageKey) -> String {
        if let id = samples.details[row]?.externalID { return id }
        let content = "\(samples.starts[row]) \(samples.durations[row]) \(samples.values[row])"
        return "\(key.type.rawValue) \(key.origin.canonicalText) \(content)"
    }

    /// Returns the identifier of the record that a sample is a part of; `nil` for a sample that is not a part.
    static func record(of externalID: String) -> String? {
        externalID.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(externalID[..<$0]) }
    }
}
