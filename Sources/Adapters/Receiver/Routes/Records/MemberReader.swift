import HealthSyncDomain

/// Reads the members of one record. The error for an invalid or missing member contains its name.
struct MemberReader {
    let element: ParsedJSON
    /// The id of the record in errors.
    var id = ""

    func rejection(_ reason: String) -> InvalidRecord { InvalidRecord(id: id, reason: reason) }

    /// Returns a string, or `nil` if the member is missing or null.
    func optionalString(_ name: StaticString, atMost limit: Int = 1_000) throws(InvalidRecord) -> String? {
        guard let value = element[name], !value.isNull else { return nil }
        guard let text = value.string else { throw rejection("\(name) must be a string") }
        guard text.unicodeScalars.count <= limit else {
            throw rejection("\(name) must have at most \(limit) characters")
        }
        return text
    }

    /// Returns a string that is not empty.
    func string(_ name: StaticString, atMost limit: Int = 1_000) throws(InvalidRecord) -> String {
        guard let text = try optionalString(name, atMost: limit), !text.isEmpty else {
            throw rejection("\(name) is missing")
        }
        return text
    }

    /// Returns a number between -2^53 and 2^53, or `nil` if the member is missing or null. No measured value is larger,
    /// and sums of such numbers are finite.
    func optionalNumber(_ name: StaticString, atLeast least: Double? = nil) throws(InvalidRecord) -> Double? {
        guard let value = element[name], !value.isNull else { return nil }
        guard let number = value.number, number.isFinite else { throw rejection("\(name) must be a number") }
        if let least, number < least { throw rejection("\(name) must be at least \(CanonicalNumber.text(least))") }
        guard number.magnitude <= Double(ParsedJSON.largestExactInteger) else {
            throw rejection("\(name) must be between -2^53 and 2^53")
        }
        return number
    }

    /// Returns a count, or `nil` if the member is missing or null.
    func optionalCount(_ name: StaticString) throws(InvalidRecord) -> Int64? {
        guard let value = element[name], !value.isNull else { return nil }
        guard let number = value.integer, (0...ParsedJSON.largestExactInteger).contains(number) else {
            throw rejection("\(name) must be an integer from 0 to 2^53 - 1")
        }
        return number
    }

    /// Returns the revision, 0 by default.
    func revision() throws(InvalidRecord) -> Int64 { try optionalCount("revision") ?? 0 }

    /// Returns an RFC 3339 time from 1900 to 2200, or `nil` if the member is missing or null.
    func optionalTime(_ name: StaticString) throws(InvalidRecord) -> (text: String, instant: Instant)? {
        guard let text = try optionalString(name, atMost: 64) else { return nil }
        guard let instant = RFC3339.instant(text) else { throw rejection("\(name) must be an RFC 3339 time") }
        guard (1900...2200).contains(Self.wallDay(of: (text, instant)).components.year) else {
            throw rejection("\(name) must be a time from 1900 to 2200")
        }
        return (text, instant)
    }

    /// Returns an RFC 3339 time from 1900 to 2200.
    func time(_ name: StaticString) throws(InvalidRecord) -> (text: String, instant: Instant) {
        guard let time = try optionalTime(name) else { throw rejection("\(name) is missing") }
        return time
    }

    /// Returns a calendar day from 1900 to 2200, or `nil` if the member is missing or null.
    func optionalDay(_ name: StaticString) throws(InvalidRecord) -> CalendarDay? {
        guard let text = try optionalString(name, atMost: 64) else { return nil }
        guard let day = CalendarDay(text), (1900...2200).contains(day.components.year) else {
            throw rejection("\(name) must be a day from 1900 to 2200, YYYY-MM-DD")
        }
        return day
    }

    /// Returns the calendar day of an RFC 3339 time in its own UTC offset.
    static func wallDay(of time: (text: String, instant: Instant)) -> CalendarDay {
        CalendarDay(time.text.prefix(10)) ?? CalendarDay(utcDayOf: time.instant)
    }
}
