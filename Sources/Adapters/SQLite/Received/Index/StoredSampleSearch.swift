import HealthSyncDomain

/// A stored sample, as far as a write depends on it.
struct StoredSample {
    let position: Int64
    var revision: RecentIDs.Revision
}

/// The ids of a stored page and the revisions of its samples.
struct StoredIDs {
    let firstPosition: Int64
    let ids: [SampleID]
    /// `nil` if no sample is deleted or has a revision other than 0.
    private let revised: ReceivedColumns?

    /// Creates the ids of samples without revisions.
    init(firstPosition: Int64, columns: ReceivedColumns) {
        self.firstPosition = firstPosition
        ids = columns.ids
        revised = columns
    }

    /// Reads the columns `first_position`, `ids` and `columns`, which is NULL if no sample of the page is revised.
    init(_ row: SQLiteStatement, of connection: SQLiteConnection) throws {
        firstPosition = try row.integer()
        let ids = try ReceivedSamplePages.ids(try row.blob(), of: connection)
        self.ids = ids
        revised = try row.optional { try $0.blob() }
            .map { try ReceivedSamplePages.columns($0, ids: ids, of: connection) }
    }

    /// Returns the revision of the sample at `index`.
    func revision(at index: Int) -> RecentIDs.Revision {
        guard let revised else { return .init(number: 0, isDeleted: false) }
        return .init(number: revised.revisions[index], isDeleted: revised.marks[index].contains(.deleted))
    }

    func contains(_ position: Int64) -> Bool {
        position >= firstPosition && position < firstPosition + Int64(ids.count)
    }
}

/// Finds samples by their ids in the segments of a series. The filters exclude almost every new id; only the rest is
/// looked up in chunks, and what they contain is compared with the ids of the pages.
struct StoredSampleSearch {
    private let series: Int64
    private let connection: SQLiteConnection

    /// A chunk that may contain the id of a sample.
    private struct Candidate {
        let segment: Int
        let chunk: Int
        let prefix: UInt64
        let sample: Int
    }

    init(series: Int64, over connection: SQLiteConnection) {
        self.series = series
        self.connection = connection
    }

    /// Returns those of `samples` that are stored, by id.
    func stored(
        _ samples: [ReceivedSample], hashes: [SampleIDHash.Value], in segments: [SampleIDSegment]
    ) throws -> [SampleID: StoredSample] {
        var candidates: [Candidate] = []
        for (number, segment) in segments.enumerated() {
            segment.filter.forEachMatch(in: hashes) { index in
                let prefix = hashes[index].prefix
                candidates.append(
                    Candidate(segment: number, chunk: segment.layout.chunk(of: prefix), prefix: prefix, sample: index))
            }
        }
        guard !candidates.isEmpty else { return [:] }
        candidates.sort { ($0.segment, $0.chunk) < ($1.segment, $1.chunk) }
        var found: [(position: Int64, sample: Int)] = []
        var rest = candidates[...]
        while let first = rest.first {
            let group = rest.prefix { $0.segment == first.segment && $0.chunk == first.chunk }
            rest = rest[group.endIndex...]
            try search(group, in: segments[first.segment]) { found.append(($0, $1)) }
        }
        return try confirmed(found, of: samples)
    }

    /// Calls `body` with the position and the index of the samples of `group`, all in one chunk, that have the hash of an
    /// entry.
    private func search(
        _ group: ArraySlice<Candidate>, in segment: SampleIDSegment, _ body: (Int64, Int) -> Void
    ) throws {
        guard let chunk = group.first?.chunk else { return }
        // Mostly one id that the filter contains by mistake.
        guard group.count > 4 else {
            return try segment.forEach(in: chunk, over: connection) { entry in
                for candidate in group where candidate.prefix == entry.prefix { body(entry.position, candidate.sample) }
            }
        }
        let samples = Dictionary(group.map { ($0.prefix, [$0.sample]) }, uniquingKeysWith: +)
        try segment.forEach(in: chunk, over: connection) { entry in
            for sample in samples[entry.prefix] ?? [] { body(entry.position, sample) }
        }
    }

    /// Compares the ids, because different ids may have the same hash.
    private func confirmed(
        _ found: [(position: Int64, sample: Int)], of samples: [ReceivedSample]
    ) throws -> [SampleID: StoredSample] {
        var stored: [SampleID: StoredSample] = [:]
        var page: StoredIDs?
        for (position, sample) in found.sorted(by: { $0.position < $1.position }) {
            if page?.contains(position) != true { page = try self.page(with: position) }
            guard let page, page.contains(position) else {
                throw SQLiteFailure.damaged(connection.path, "a page of samples is missing")
            }
            let index = Int(position - page.firstPosition)
            guard page.ids[index] == samples[sample].id else { continue }
            stored[samples[sample].id] = StoredSample(position: position, revision: page.revision(at: index))
        }
        return stored
    }

    private func page(with position: Int64) throws -> StoredIDs? {
        try connection.first(
            """
            SELECT first_position, ids, iif(revised > 0, columns, NULL)
            FROM sample_pages INDEXED BY sample_pages_by_series
            WHERE series_id = ?1 AND first_position <= ?2 ORDER BY first_position DESC LIMIT 1
            """, series, position
        ) { try StoredIDs($0, of: connection) }
    }
}
