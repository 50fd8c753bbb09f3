import HealthSyncDomain

/// Decides the outcomes of the samples of a group in order.
struct SampleDecisions {
    struct Row {
        var series: Int32
        var position: Int64
        var origin: Int32?
        var sample: ReceivedSample
    }
    private struct Key: Hashable {
        var series: Int32
        var id: SampleID
    }
    private enum Place {
        case stored
        case added(Int)
        case changed(Int)
    }
    private struct Known {
        var revision: Int64
        var isDeleted: Bool
        var place: Place
    }

    private var requested: [Key] = []
    private var known: [Key: Known] = [:]
    private var added: [Row] = []
    private var changed: [Row] = []
    /// The last position assigned to a sample of the user.
    var lastPosition: Int64 = 0

    init(_ writes: [ReceivedWrite], places: [SamplePlaces]) {
        for (write, places) in zip(writes, places) {
            guard case .samples(_, let batch) = write.content else { continue }
            requested += batch.samples.map { Key(series: places.series, id: $0.id) }
        }
        known.reserveCapacity(requested.count)
    }

    /// The query for samples that are already stored.
    var query: UserCommand? {
        guard !requested.isEmpty else { return nil }
        return UserCommand(
            """
            SELECT s.series_id, s.id, s.revision, s.is_deleted
            FROM unnest($2::integer[], $3::uuid[]) AS n (series_id, id)
            JOIN samples s ON s.user_id = $1 AND s.series_id = n.series_id AND s.id = n.id
            """,
            [.array(.int4, of: requested) { $0.int4($1.series) }, .array(.uuid, of: requested) { $0.uuid($1.id) }])
    }

    mutating func load(_ rows: PostgresRows) throws {
        let stored = try rows.map { row in
            (
                Key(series: try row.int4(), id: try row.sampleID()),
                Known(revision: try row.integer(), isDeleted: try row.bool(), place: .stored)
            )
        }
        for (key, state) in stored { known[key] = state }
    }

    mutating func decide(_ sample: ReceivedSample, at places: SamplePlaces) -> StoreOutcome {
        let key = Key(series: places.series, id: sample.id)
        let before = known[key]
        let outcome = StoreOutcome.of(
            revision: sample.revision, isDeleted: sample.isDeleted, over: before.map { ($0.revision, $0.isDeleted) })
        guard outcome != .duplicate else { return outcome }
        var row = Row(series: places.series, position: 0, origin: places.origin(of: sample), sample: sample)
        let place: Place
        switch before?.place {
        case nil:
            lastPosition += 1
            row.position = lastPosition
            place = .added(added.count)
            added.append(row)
        case .stored?:
            place = .changed(changed.count)
            changed.append(row)
        case .added(let index)?:
            row.position = added[index].position
            added[index] = row
            place = .added(index)
        case .changed(let index)?:
            changed[index] = row
            place = .changed(index)
        }
        known[key] = Known(revision: sample.revision, isDeleted: sample.isDeleted, place: place)
        return outcome
    }

    var changes: [UserCommand] {
        SampleStatements.insert(added, lastPosition: lastPosition) + SampleStatements.update(changed)
    }
}
