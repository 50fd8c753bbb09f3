import HealthSyncDomain

/// The error for a rejected record, with the reason under which it is counted. The reason contains no health value or
/// other content of the record, so that the number of different reasons stays small.
struct RejectedRecord: Error {
    /// The reason for an object with two members of one name: which of them counts is unknown.
    static let repeatedMember = "a member occurs twice"

    let reason: String
    /// The exact problem, if the reason is not specific.
    let detail: String?

    init(_ reason: String, detail: String? = nil) {
        self.reason = reason
        self.detail = detail
    }

    init(_ error: any Error) {
        switch error {
        case let rejected as RejectedRecord: self = rejected
        case let mismatch as DecodingError: self.init(mismatch)
        default: self.init("not valid JSON")
        }
    }

    private init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            let problem = type == Double.self || type == Int.self ? "is not a number" : "has the wrong type"
            self.init(context.codingPath.last.map { "\($0.stringValue) \(problem)" } ?? "not a JSON object")
        case .dataCorrupted(let context):
            self.init(context.codingPath.last.map { "\($0.stringValue) cannot be decoded" } ?? "not valid JSON")
        default: self.init("not valid JSON")
        }
    }
}

extension SelectedTypes {
    /// Returns the definition of `type`; `nil` if it is not selected. Throws if there are too many types.
    mutating func selected(
        _ type: SampleType, kind: SampleKind? = nil, unit: String?
    ) throws(RejectedRecord) -> SampleTypeDefinition? {
        do { return try definition(of: type, kind: kind, unit: unit) } catch {
            throw RejectedRecord(TooManyTypes.reason)
        }
    }
}
