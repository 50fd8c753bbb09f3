import HealthSyncDomain

/// Rows of a query for samples.
enum SampleRow {
    static let columns = """
        s.position, s.id, s.start_ms, s.end_ms, s.value, s.revision, s.is_uppercase, o.origin_id, o.bundle_id,
        o.device_name, o.unit
        """

    /// Returns at most `limit` of the rows, and the position after which the next page begins if there are more.
    static func page(of rows: PostgresRows?, limit: Int) throws -> ReceivedSamplePage {
        var batch = ReceivedSampleBatch()
        var origins: [Int32: Int] = [:]
        let positions = try rows?.map { try read(&$0, into: &batch, origins: &origins) } ?? []
        guard positions.count > limit else { return ReceivedSamplePage(batch: batch, next: nil) }
        batch.samples.removeLast()
        return ReceivedSamplePage(batch: batch, next: positions.dropLast().last)
    }

    private static func read(
        _ row: inout PostgresRow, into batch: inout ReceivedSampleBatch, origins: inout [Int32: Int]
    ) throws -> Int64 {
        let position = try row.integer()
        var sample = ReceivedSample(
            id: try row.sampleID(), start: try row.instant(), end: try row.instant(), value: try row.real(),
            revision: try row.integer(), isUppercase: try row.bool())
        if let originRow = try row.optional({ try $0.int4() }) {
            if let index = origins[originRow] {
                sample.origin = index
            } else {
                sample.origin = batch.origins.count
                origins[originRow] = sample.origin
                batch.origins.append(
                    ReceivedOrigin(
                        bundleID: try row.text(), deviceName: try row.optional { try $0.text() },
                        unit: try row.text()))
            }
        }
        batch.samples.append(sample)
        return position
    }
}
