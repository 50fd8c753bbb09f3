import HealthSyncDomain

/// The row ids that the samples of a request refer to.
struct SamplePlaces {
    /// The series of a request without samples.
    static let noSeries: Int32 = 0

    private(set) var series = noSeries
    private var origins: [Int32] = []

    init(of write: ReceivedWrite, userRow: Int32, in rows: KnownRows) throws {
        guard case .samples(let type, let batch) = write.content else { return }
        series = try rows.row(of: type, userRow: userRow)
        origins = try rows.rows(of: batch.origins, userRow: userRow)
    }

    /// Returns the row id of the sample's origin; 0 if it has none.
    func origin(of sample: ReceivedSample) -> Int64 {
        origins.indices.contains(sample.origin) ? Int64(origins[sample.origin]) : 0
    }
}
