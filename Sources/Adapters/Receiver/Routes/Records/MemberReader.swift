import HealthSyncDomain

/// Reads the members of one record; what is missing or of the wrong type is refused with the member's name.
struct MemberReader {
    let element: JSONValue
    /// By which a refusal names the record.
    var id = ""

    func refused(_ reason: String) -> RejectedRecord { RejectedRecord(id: id, reason: reason) }

    /// A string, or `nil` where the member is absent or null.
    func optionalString(_ name: StaticString, atMost limit: Int = 1_000) throws(RejectedRecord) -> String? {
        guard let value = element[name], !value.isNull else { return nil }
        guard let text = value.string else { throw refused("\(name) must be a string") }
        guard text.unicodeScalars.count <= limit else {
            throw refused("\(name) is longer than \(limit) characters")
        }
        return text
    }

    /// A string that is not empty.
    func string(_ name: StaticString, atMost limit: Int = 1_000) throws(RejectedRecord) -> String {
        guard let text = try optionalString(name, atMost: limit), !text.isEmpty else {
            throw refused("\(name) is missing")
        }
        return text
    }

    /// A number between -2^53 and 2^53, or `nil` where the member is absent or null. Nothing that is measured is larger,
    /// and sums of such numbers are finite.
    func optionalNumber(_ name: StaticString, atLeast least: Double? = nil) throws(RejectedRecord) -> Double? {
        guard let value = element[name], !value.isNull else { return nil }
        guard let number = value.number, number.isFinite else { throw refused("\(name) must be a number") }
        if let least, number < least { throw refused("\(name) must be at least \(CanonicalNumber.text(least))") }
        guard number.magnitude <= Double(JSONValue.largestExactInteger) else {
            throw refused("\(name) must be between -2^53 and 2^53")
        }
        return number
    }

    /// A number of things, or `nil` where the member is absent or null.
    func optionalCount(_ name: StaticString) throws(RejectedRecord) -> Int64? {
        guard let value = element[name], !value.isNull else { return nil }
        guard let number = value.integer, (0...JSONValue.largestExactInteger).contains(number) else {
            throw refused("\(name) must be a whole number, not negative and below 2^53")
        }
        return number
    }

    /// The revision, 0 where none is stated.
    func revision() throws(RejectedRecord) -> Int64 { try optionalCount("revision") ?? 0 }

    /// An RFC 3339 time within 1900 to 2200, or `nil` where the member is absent or null.
    func optionalTime(_ name: StaticString) throws(RejectedRecord) -> (text: String, instant: Instant)? {
        guard let text = try optionalString(name, atMost: 64) else { return nil }
        guard let instant = RFC3339.instant(text) else { throw refused("\(name) must be an RFC 3339 time") }
        guard (1900...2200).contains(Self.wallDay(of: (text, instant)).components.year) else {
            throw refused("\(name) is outside 1900 to 2200")
        }
        return (text, instant)
    }

    /// An RFC 3339 time within 1900 to 2200.
    func time(_ name: StaticString) throws(RejectedRecord) -> (text: String, instant: Instant) {
        guard let time = try optionalTime(name) else { throw refused("\(name) is missing") }
        return time
    }

    /// A calendar day within 1900 to 2200, or `nil` where the member is absent or null.
    func optionalDay(_ name: StaticString) throws(RejectedRecord) -> CalendarDay? {
        guard let text = try optionalString(name, atMost: 64) else { return nil }
        guard let day = CalendarDay(text), (1900...2200).contains(day.components.year) else {
            throw refused("\(name) must be a day from 1900 to 2200, YYYY-MM-DD")
        }
        return day
    }

    /// The calendar day on the wall clock of an RFC 3339 time.
    static func wallDay(of time: (text: String, instant: Instant)) -> CalendarDay {
        CalendarDay(time.text.prefix(10)) ?? CalendarDay(utcDayOf: time.instant)
    }
}
