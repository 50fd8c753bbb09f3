/// A record that cannot be used, with the reason under which it is counted. The reason holds no health value and
/// nothing else of the record, so that the number of reasons stays small.
struct RefusedRecord: Error {
    let reason: String
    /// What exactly was met, where the reason alone does not tell it.
    let detail: String?

    init(_ reason: String, detail: String? = nil) {
        self.reason = reason
        self.detail = detail
    }

    init(_ error: any Error) {
        switch error {
        case let refused as RefusedRecord: self = refused
        case let mismatch as DecodingError: self.init(mismatch)
        default: self.init("not valid JSON")
        }
    }

    private init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self.init(context.codingPath.last.map { "\($0.stringValue) has the wrong type" } ?? "not a JSON object")
        case .dataCorrupted(let context):
            self.init(context.codingPath.last.map { "\($0.stringValue) cannot be read" } ?? "not valid JSON")
        default: self.init("not valid JSON")
        }
    }
}
