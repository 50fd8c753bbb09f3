import HealthSyncDomain

/// The row ids that the samples of a request refer to.
struct SamplePlaces {
    /// 0 for a request without samples.
    private(set) var series: Int32 = 0
    private var origins: [Int32] = []

    init(of write: ReceivedWrite, userRow: Int32, in rows: KnownRows) throws {
        guard case .samples(let type, let batch) = write.content else { return }
        series = try rows.row(of: type, userRow: userRow)
        origins = try rows.rows(of: batch.origins, userRow: userRow)
    }

    /// Returns the row id of the sample's origin; `nil` if it has none.
    func origin(of sample: ReceivedSample) -> Int32? {
        origins.indices.contains(sample.origin) ? origins[sample.origin] : nil
    }
}
