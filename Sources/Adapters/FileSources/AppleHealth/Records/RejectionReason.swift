/// The reason why a record was rejected; the raw value is the key in `SourceReading.rejected`.
enum RejectionReason: String, CaseIterable, Error {
    /// No `type`, or an empty one.
    case noType = "no type"
    /// A `type` that is not valid text of XML.
    case damagedType = "damaged type"
    /// A start or end that is missing or not a valid date, such as 30 February.
    case badDate = "missing or impossible date"
    /// An end before the start.
    case endBeforeStart = "end before start"
    /// A year in which no measurement is plausible.
    case implausibleYear = "year outside 1900–2200"
    /// Neither a value nor an average.
    case noValue = "no value"
    /// A value that is not a finite decimal number.
    case badValue = "value is not a number"
    /// An unknown name of a state.
    case unknownState = "unknown category value"
    /// A unit that cannot be converted to the canonical unit.
    case unknownUnit = "unknown unit"
    /// A repeated attribute with different values.
    case contradiction = "attribute written twice with different values"
    /// The record's end tag is missing.
    case notClosed = "record not closed"
    /// More types, sources or devices than the limits allow.
    case tooMany = "too many different types or sources"
}
