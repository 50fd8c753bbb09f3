import HealthSyncDomain

/// The conditions of a `RecordQuery` as SQL. Only filters of the query become conditions, so that each form of query
/// has its own plan.
struct RecordConditions {
    private(set) var text = "user_id = $1 AND kind = $2 AND NOT is_deleted"
    private(set) var parameters: [PostgresParameter]

    init(_ query: RecordQuery, userRow: Int32) {
        parameters = [.int4(userRow), .text(query.kind.rawValue)]
        add("id =", query.id.map { .text($0) })
        add("type =", query.type.map { .text($0) })
        add("granularity =", query.granularity.map { .text($0) })
        add("day >=", query.from.map { .date($0) })
        add("day <=", query.through.map { .date($0) })
    }

    /// The number of the next parameter.
    var next: Int { parameters.count + 1 }

    private mutating func add(_ condition: String, _ parameter: PostgresParameter?) {
        guard let parameter else { return }
        text += " AND \(condition) $\(next)"
        parameters.append(parameter)
    }
}
