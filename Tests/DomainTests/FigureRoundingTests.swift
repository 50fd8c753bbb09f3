import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Figures have 12 significant digits")
struct FigureRoundingTests {
    @Test("Rounding equals that of decimal text and is idempotent", arguments: Seeds.range(50))
    func rounding(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let digits = Double(Int64.random(in: 1..<1_000_000_000_000_000, using: &random))
            let number = digits * pow(10, Double(Int.random(in: -23 ... -3, using: &random)))
            guard number > 1e-9, number < 1e12, number != number.rounded() else { continue }
            let text = String(format: "%.11e", number)
            let rounded = number.asFigure
            // A number exactly between two texts may be rounded either way.
            #expect(abs(rounded - (Double(text) ?? .nan)) <= 1.000001e-11 * number, "\(number)")
            #expect(Double(String(format: "%.11e", rounded)) == rounded, "\(number)")
            #expect(rounded.asFigure == rounded && (-number).asFigure == -rounded)
        }
    }

    @Test("Whole numbers and non-finite numbers are unchanged")
    func untouched() {
        for number in [0, 1, 9_876, 1_234_567_890_123, 1e300, 1e-12, -7, .infinity] as [Double] {
            #expect(number.asFigure == number)
        }
        #expect(Double.nan.asFigure.isNaN)
        #expect(101.99999999999999.asFigure == 102)
        #expect(0.1 + 0.2 != 0.3 && (0.1 + 0.2).asFigure == 0.3)
    }

    @Test("A day's sum of decimal fractions equals the decimal sum", arguments: Seeds.range(20))
    func sums(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let start = try #require(RFC3339.instant("2024-01-15T00:00:00Z"))
        var series = SampleSeries("Watch")
        var hundredths = 0
        for minute in 0..<Int64.random(in: 10...400, using: &random) {
            let value = Int.random(in: 1...500, using: &random)
            hundredths += value
            series = series.adding(
                Double(value) / 100, at: start.advanced(bySeconds: minute * 120), milliseconds: 60_000)
        }
        let merge = CumulativeMerge(
            metric: .exerciseMinutes, unit: "min", days: DayRange(CalendarDay(utcDayOf: start)),
            rules: DerivationRules(clock: DayClock(home: .utc)))
        let day = try #require(merge.days(of: [series.samples]).progress.first)
        #expect(day.figures.quantity == Double(hundredths) / 100)
        #expect(day.origins.map(\.quantity) == [Double(hundredths) / 100])
        for hour in day.hours {
            #expect(hour.figures.quantity == (hour.figures.quantity * 100).rounded() / 100)
        }
    }
}
