package import HealthSyncDomain

/// The three date forms of RFC 9110, section 5.6.7, as used in `Retry-After` and `Date`.
package enum HTTPDate {
    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`; `nil`
    /// for anything else and for times that do not exist. `now` determines the century of a year of two digits.
    package static func instant(_ text: String, now: Instant) -> Instant? {
        let words = text.utf8.split { $0 == 0x20 || $0 == 0x2C }.map { String(Substring($0)) }
        switch words.count {
        case 6 where words[5] == "GMT":
            return instant(day: words[1], month: words[2], year: Int(digits: words[3], count: 4), time: words[4])
        case 4 where words[3] == "GMT":
            let date = words[1].parts(separatedBy: "-").map(String.init)
            guard date.count == 3, let year = Int(digits: date[2], count: 2) else { return nil }
            return instant(day: date[0], month: date[1], year: fullYear(year, now: now), time: words[2])
        case 5:
            let day = words[2].utf8.count == 1 ? "0" + words[2] : words[2]
            return instant(day: day, month: words[1], year: Int(digits: words[4], count: 4), time: words[3])
        default:
            return nil
        }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func instant(day: String, month: String, year: Int?, time: String) -> Instant? {
        let clock = time.parts(separatedBy: ":").map {
            Int(digits: String($0), count: 2)
        }
        guard let year, let month = months.firstIndex(of: month), let dayOfMonth = Int(digits: day, count: 2),
            let day = CalendarDay(year: year, month: month + 1, day: dayOfMonth),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return day.utcStart.advanced(bySeconds: Int64(hour * 3600 + minute * 60 + second))
    }

    /// RFC 9110: a date that seems to lie more than 50 years ahead is the most recent past year with those digits.
    private static func fullYear(_ twoDigits: Int, now: Instant) -> Int {
        let thisYear = CalendarDay(utcDayOf: now).components.year
        let year = thisYear - thisYear % 100 + twoDigits
        return year > thisYear + 50 ? year - 100 : year
    }
}

extension Int {
    fileprivate init?(digits text: String, count: Int) {
        guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}
