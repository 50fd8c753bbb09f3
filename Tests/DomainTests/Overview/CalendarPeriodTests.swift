import HealthSyncDomain
import HealthSyncTestTools
import Testing

struct CalendarPeriodTests {
    @Test func weeksMonthsAndYearsEqualThoseOfPython() async throws {
        let printed = try await Peer.lines(of: "zones/list_calendar_periods.py", ["1995-12-20", "2033-01-10"])
        let lines = printed.map { $0.split(separator: " ").map(String.init) }
        try #require(lines.count > 13_000)
        var wrong: [String] = []
        for words in lines {
            let day = try RandomSteps.day(words[0])
            for (index, unit) in [CalendarPeriod.Unit.week, .month, .year].enumerated() {
                let period = CalendarPeriod(unit, holding: day)
                let said = ["\(period)", "\(period.days.first)", "\(period.days.last)"]
                if said != Array(words[(1 + index * 3)..<(4 + index * 3)]) { wrong.append("\(words[0]) \(said)") }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: CalendarPeriod.Unit.allCases)
    func periodsAreAdjacent(unit: CalendarPeriod.Unit) throws {
        let days = try #require(
            DayRange(try RandomSteps.day("2019-02-13"), through: try RandomSteps.day("2024-12-30")))
        let periods = CalendarPeriod.periods(unit, of: days)
        #expect(periods.first?.days.contains(days.first) == true)
        #expect(periods.last?.days.contains(days.last) == true)
        for (earlier, later) in zip(periods, periods.dropFirst()) {
            #expect(earlier.days.last.advanced(by: 1) == later.days.first)
            #expect(earlier.next == later)
            #expect(earlier < later)
        }
    }

    @Test(arguments: [
        ("1d", "2024-03-31", "2024-03-31"), ("7d", "2024-03-31", "2024-03-25"), ("2w", "2024-03-31", "2024-03-18"),
        ("1mo", "2024-03-31", "2024-03-01"), ("1mo", "2024-03-30", "2024-03-01"), ("3mo", "2024-04-15", "2024-01-16"),
        ("3mo", "2024-01-15", "2023-10-16"), ("1y", "2024-02-29", "2023-03-01"), ("12mo", "2024-02-29", "2023-03-01"),
        ("100y", "2024-05-05", "1924-05-06"),
    ])
    func lookingBack(text: String, last: String, first: String) throws {
        let lookBack = try #require(LookBack(text))
        #expect("\(lookBack)" == text)
        let days = lookBack.days(through: try RandomSteps.day(last))
        #expect("\(days.first)" == first)
        #expect("\(days.last)" == last)
    }

    @Test(arguments: [("day", "1d"), ("week", "1w"), ("month", "1mo"), ("year", "1y")])
    func wordsForOne(word: String, text: String) {
        #expect(LookBack(word) == LookBack(text) && LookBack(word) != nil)
    }

    @Test(arguments: [
        "", "7", "weeks", "Month", "2week", " day", "d", "0d", "-1d", "+1d", "7 d", "7D", "3m", "1.5d", "101y",
        "99999999999999999999d", "٧d",
    ])
    func invalidLookBacks(text: String) {
        #expect(LookBack(text) == nil)
    }
}
