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

/// The message for a unit that does not fit a type.
enum UnitProblem {
    /// Returns one line; the unit, which is external text, is truncated.
    static func text(_ unit: String?, of type: String) -> String {
        guard let unit else { return "no unit for \(type)" }
        return "unit \"\(unit.prefix(64))\" is not a unit of \(type)"
    }
}

/// Describes a state of a category that its type does not have.
enum StateProblem {
    /// Returns one line; the state and the type, which may be external text, are truncated.
    static func text(_ state: String?, of type: String) -> String {
        guard let state else { return "no value for \(type.prefix(64))" }
        return "value \"\(state.prefix(64))\" is not a state of \(type.prefix(64))"
    }
}

/// A percentage as apps write it, from 0 to 100, which is a fraction in HealthKit.
enum Percentage {
    static let whole = 100.0
    /// A computed percentage may exceed the whole by this part of it.
    private static let noise = 1e-9

    /// Returns `value`; the whole if it exceeds it by a computation's noise. Throws for a larger value: its fraction would
    /// be taken for a percentage, and divided again.
    static func checked(_ value: Double) throws(RejectedRecord) -> Double {
        guard value <= whole * (1 + noise) else { throw RejectedRecord("more than 100 percent") }
        return min(value, whole)
    }
}

extension PlausibleTime {
    /// Returns the interval from `start` to `end`; rejects one that ends before it starts or leaves the years 1900–2200.
    static func interval(from start: Instant, to end: Instant) throws(RejectedRecord) -> InstantRange {
        guard start.milliseconds >= firstMillisecond, end.milliseconds < endMillisecond,
            start.milliseconds < endMillisecond
        else { throw RejectedRecord("a year outside 1900–2200") }
        guard start <= end else { throw RejectedRecord("the end is before the start") }
        return InstantRange(start: start, end: end)
    }
}
