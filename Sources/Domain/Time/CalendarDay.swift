/// A day of the proleptic Gregorian calendar, independent of a time zone.
public struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Days since 1970-01-01; negative before.
    public var ordinal: Int

    /// Creates the day `ordinal` days after 1970-01-01.
    public init(ordinal: Int) { self.ordinal = ordinal }

    /// Creates the day with this year, month (1–12) and day of the month; `nil` if it does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        ordinal = Self.ordinal(year: year, month: month, day: day)
    }

    /// Parses exactly `YYYY-MM-DD`; `nil` for anything else and for days that do not exist (30 February).
    public init?(_ text: some StringProtocol) { self.init(utf8: Array(text.utf8)) }

    /// Parses the UTF-8 of the same form.
    package init?(utf8 bytes: [UInt8]) {
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D,
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Creates the UTC day of `instant`.
    public init(utcDayOf instant: Instant) {
        ordinal = Int(instant.milliseconds.flooredQuotient(by: Self.millisecondsPerDay))
    }

    /// Year, month (1–12) and day of the month.
    public var components: (year: Int, month: Int, day: Int) {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
        let shifted = nearOrdinal + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// `YYYY-MM-DD`.
    public var description: String {
        let (year, month, day) = components
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
    }

    /// Returns the day `days` later (earlier if negative). Saturates instead of overflowing.
    public func advanced(by days: Int) -> CalendarDay {
        let (sum, overflow) = ordinal.addingReportingOverflow(days)
        return CalendarDay(ordinal: overflow ? (days < 0 ? .min : .max) : sum)
    }

    /// Midnight UTC at the start of the day. Saturates instead of overflowing.
    public var utcStart: Instant { Instant(seconds: utcStartSeconds) }

    /// 1 for Monday to 7 for Sunday (ISO 8601).
    public var isoWeekday: Int { (nearOrdinal + 3) - (nearOrdinal + 3).flooredQuotient(by: 7) * 7 + 1 }

    /// Midnight UTC at the start of the day, in seconds since 1970.
    package var utcStartSeconds: Int64 { Int64(nearOrdinal) * 86_400 }

    /// The ordinal, or the nearest one whose date and seconds can be computed: two days outside all instants.
    private var nearOrdinal: Int { min(max(ordinal, -Self.farthestOrdinal), Self.farthestOrdinal) }
    private static let farthestOrdinal = Int(Int64.max / millisecondsPerDay) + 2

    /// Compares chronologically.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.ordinal < right.ordinal }

    package static let millisecondsPerDay: Int64 = 86_400_000

    /// 0001-01-01 to 9999-12-31: the days that `init(_:)` parses and `description` formats in ten characters.
    package static let representable = CalendarDay(ordinal: -719_162)...CalendarDay(ordinal: 2_932_896)

    static func ordinal(year: Int, month: Int, day: Int) -> Int {
        // Howard Hinnant, days_from_civil.
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.flooredQuotient(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: 31
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }

    package static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}

extension CalendarDay: Codable {
    /// Decodes the `YYYY-MM-DD` form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = CalendarDay(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a day: \(text)")
        }
        self = day
    }

    /// Encodes the `YYYY-MM-DD` form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension CalendarDay {
    /// Returns the same day of the month `months` later (earlier if negative), or the last day of a shorter month.
    package func advanced(byMonths months: Int) -> CalendarDay {
        let (year, month, day) = components
        let index = year * 12 + month - 1 + months
        let (newYear, newMonth) = (index.flooredQuotient(by: 12), index - index.flooredQuotient(by: 12) * 12 + 1)
        let length = Self.length(ofMonth: newMonth, year: newYear)
        return CalendarDay(ordinal: Self.ordinal(year: newYear, month: newMonth, day: min(day, length)))
    }

    /// The year and number of the week that contains the day (ISO 8601: weeks begin on Monday, and the first week of a
    /// year contains its first Thursday).
    package var isoWeek: (year: Int, week: Int) {
        let thursday = advanced(by: 4 - isoWeekday)
        let year = thursday.components.year
        let newYear = Self.ordinal(year: year, month: 1, day: 1)
        return (year, (thursday.ordinal - newYear) / 7 + 1)
    }
}

extension CalendarDay {
    /// The English abbreviation: `Mon`.
    package var weekdayName: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][isoWeekday - 1] }

    /// The weekday and the date: `Mon 2024-01-15`.
    package var nameAndDate: String { "\(weekdayName) \(self)" }

    /// The date in a sentence: `31 Dec 2025`.
    package var dateInWords: String {
        let (year, month, day) = components
        return "\(day) \(Self.monthName(month)) \(year)"
    }

    /// Returns `Jan` for 1 to `Dec` for 12.
    package static func monthName(_ month: Int) -> String {
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][(month + 11) % 12]
    }
}
