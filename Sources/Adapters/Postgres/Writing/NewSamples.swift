import HealthSyncDomain

/// A group of requests that probably contain only new samples of one series. It is stored in one round trip, on the
/// condition that the series is as this process left it.
struct NewSamples {
    private let userRow: Int32
    private let series: Int32
    private let batches: [ReceivedSampleBatch]
    private let indexes: SeriesIndexes

    /// Returns `nil` if the group contains anything else than samples of one series, or an idempotency key.
    init?(_ writes: [ReceivedWrite], places: [SamplePlaces], userRow: Int32, indexes: SeriesIndexes) {
        guard let series = places.first?.series, series != SamplePlaces.noSeries,
            places.allSatisfy({ $0.series == series })
        else { return nil }
        var batches: [ReceivedSampleBatch] = []
        for write in writes {
            guard write.key == nil, case .samples(_, let batch) = write.content else { return nil }
            batches.append(batch)
        }
        self.userRow = userRow
        self.series = series
        self.batches = batches
        self.indexes = indexes
    }

    /// Returns the outcomes of each request, or `nil` if nothing was stored: a sample may be known, a page must be
    /// rewritten, or another server changed the series. Then the group must be stored in the general way.
    func commit(places: [SamplePlaces], over connection: PostgresConnection) throws -> [[StoreOutcome]]? {
        let key = SeriesIndexes.Key(userRow: userRow, series: series)
        guard let index = indexes.take(key) else { return nil }
        guard let state = index.state, state.rowsAfter == nil,
            PageMerging.merged(
                index.pages, with: batches.reduce(0) { $0 + $1.samples.count }, at: state.lastPosition + 1) == 0
        else {
            indexes.put(index, for: key)
            return nil
        }
        let (pages, epoch) = (index.pages, index.epoch)
        // Without a copy of the index, because a change would then copy all fingerprints.
        var write = SeriesWrite(state, epoch: epoch, known: consume index)
        guard batches.allSatisfy({ write.request($0.samples) == nil }), write.lookUps.isEmpty else {
            indexes.put(write.index, for: key)
            return nil
        }
        let outcomes = zip(batches, places).map { batch, places in
            batch.samples.map { write.decide($0, origin: places.origin(of: $0)) }
        }
        let expected = ExpectedSeries(change: state.change, epoch: epoch)
        let isStored = try write.loads().isEmpty && run(try write.changes(if: expected), over: connection)
        var written = write.index
        if !isStored { written.restore(pages: pages, change: state.change) }
        indexes.put(written, for: key)
        return isStored ? outcomes : nil
    }

    /// Runs the changes; returns whether the series was in the state that they expect.
    private func run(_ changes: [UserCommand], over connection: PostgresConnection) throws -> Bool {
        // The requests may contain no samples.
        guard !changes.isEmpty else { return true }
        let answers = try connection.run(
            [.begin, .lock(userRow)] + changes.map { $0.command(userRow: userRow) } + [.commit])
        return answers.dropLast().last?.count == 1
    }
}
