import Foundation
import HealthSyncDomain
import Testing

/// Times that no program writes. Formatting and days are defined for every instant, and decoding rejects what RFC 3339 cannot
/// express.
struct ExtremeTimeTests {
    /// The ends of the range and of the years 0, 1 and 9999, their neighbors, and instants of all magnitudes.
    private static let milliseconds: [Int64] = {
        var edges: [Int64] = [
            .min, .max, 0, -62_167_219_200_000, -62_135_596_800_000, 253_402_300_800_000,
            PlausibleTime.firstMillisecond,
            PlausibleTime.endMillisecond, 1 << 53, -1 << 53,
        ]
        for exponent in 0..<63 {
            edges.append(1 << Int64(exponent))
            edges.append(-1 << Int64(exponent))
        }
        let near: [Int64] = [
            -86_400_001, -86_400_000, -86_399_999, -1001, -1000, -1, 0, 1, 999, 1000, 86_399_999, 86_400_000,
        ]
        var found: [Int64] = []
        for edge in edges {
            for distance in near {
                found.append(Instant(milliseconds: edge).advanced(byMilliseconds: distance).milliseconds)
            }
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 { found.append(Int64.random(in: .min ... .max, using: &generator)) }
        return found
    }()

    private static func clocks() throws -> [DayClock] {
        let samoa = try ZoneRules(identifier: "Pacific/Apia")
        let travels = DayClock.Residence(firstDay: try #require(CalendarDay("2020-01-01")), rules: samoa)
        return [
            DayClock(home: .utc), DayClock(home: try ZoneRules(identifier: "Pacific/Kiritimati")),
            DayClock(home: try ZoneRules(identifier: "America/New_York"), residences: [travels]),
        ]
    }

    @Test func everyInstantHasATextAndOnlyThoseOfRFC3339AreReadAgain() {
        for milliseconds in Self.milliseconds {
            let instant = Instant(milliseconds: milliseconds)
            for offset in [Int64.min, -86_400, -3_601, 0, 1, 86_399, .max] {
                #expect(RFC3339.string(instant, offsetSeconds: offset).utf8.count >= 25)
            }
            let text = RFC3339.string(instant)
            let year = CalendarDay(utcDayOf: instant).components.year
            #expect(text.hasPrefix("-") == (year < 0), "\(text)")
            #expect(text.hasPrefix("+") == (year > 9_999), "\(text)")
            #expect(RFC3339.instant(text) == (instant.isRepresentable ? instant : nil), "\(text)")
            #expect(instant.isRepresentable == (1...9_999).contains(year))
        }
    }

    @Test(
        arguments: [
            // GNU date -u -d @SECONDS, with the sign of ISO 8601 for years after 9999.
            (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"), (-62_167_219_200_000, "0000-01-01T00:00:00Z"),
            (-62_135_596_800_001, "0000-12-31T23:59:59.999Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "+10000-01-01T00:00:00Z"), (-1_000_000_000_000_000, "-29719-04-05T22:13:20Z"),
            (Int64.max, "+292278994-08-17T07:12:55.807Z"), (Int64.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)])
    func textsOfExtremeInstants(milliseconds: Int64, text: String) {
        #expect(RFC3339.string(Instant(milliseconds: milliseconds)) == text)
    }

    @Test func everyInstantIsInOneDayAndOneNight() throws {
        for clock in try Self.clocks() {
            for milliseconds in Self.milliseconds {
                let instant = Instant(milliseconds: milliseconds)
                let day = clock.day(of: instant)
                _ = clock.nightDay(of: instant)
                _ = clock.showsTwice(instant)
                _ = (day.description, day.isoWeekday, day.nameAndDate, clock.hours(of: day).count)
                _ = RFC3339.string(instant, offsetSeconds: clock.offsetSeconds(at: instant))
                // Near the ends of the range days have no ends.
                let isNear = milliseconds.magnitude < UInt64(Int64.max) - 10 * 86_400_000
                if isNear { #expect(clock.interval(of: day).contains(instant), "\(milliseconds)") }
            }
        }
    }

    @Test func everyDayHasATextAndBounds() throws {
        let clocks = try Self.clocks()
        for ordinal in Self.milliseconds.flatMap({ [Int($0), Int($0 / 86_400_000)] }) {
            let day = CalendarDay(ordinal: ordinal)
            _ = (day.description, day.isoWeekday, day.utcStart, day.advanced(by: .max), day.advanced(by: .min))
            #expect(
                DayRange(min(day, CalendarDay(ordinal: 0)), through: max(day, CalendarDay(ordinal: 0)))?.count ?? 0 > 0)
            for clock in clocks { _ = (clock.interval(of: day), clock.noon(of: day), clock.night(of: day)) }
        }
    }

    @Test func everyDurationHasAText() {
        for milliseconds in Self.milliseconds {
            #expect(!DurationText.exact(milliseconds: milliseconds).isEmpty)
            #expect(!DurationText.exact(milliseconds: milliseconds, isWhole: true).isEmpty)
            #expect(!DurationText.minutes(milliseconds: Double(milliseconds)).isEmpty)
        }
        for length in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
            #expect(!DurationText.minutes(length).isEmpty)
        }
    }

    @Test func instantsThatNoProgramWritesAreNotDecoded() throws {
        for milliseconds in Self.milliseconds {
            let instant = Instant(milliseconds: milliseconds)
            let text = try JSONEncoder().encode(instant)
            #expect(text == Data(#"{"milliseconds":\#(milliseconds)}"#.utf8))
            let decoded = try? JSONDecoder().decode(Instant.self, from: text)
            #expect(decoded == (instant.isRepresentable ? instant : nil))
        }
        for text in [#"{"milliseconds":9223372036854775808}"#, #"{"milliseconds":1.5}"#, "{}", "1"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Instant.self, from: Data(text.utf8)) }
        }
    }

    @Test func theYearsOfAPost() {
        for (milliseconds, isPlausible) in [
            (-2_208_988_800_001, false), (-2_208_988_800_000, true), (7_289_654_399_999, true),
            (7_289_654_400_000, false),
        ] as [(Int64, Bool)] {
            #expect(PlausibleTime.contains(Instant(milliseconds: milliseconds)) == isPlausible)
        }
    }

    @Test(arguments: [(Int64.min, Int64.max), (.min, .min + 1), (0, .max), (.max - 2, .max)] as [(Int64, Int64)])
    func gapsOfAnySize(first: Int64, second: Int64) {
        var sequence = DeliverySequence(DeliverySequence.Key(sender: "a", series: "b"), first: first)
        sequence.receive(second)
        sequence.receive(first)
        #expect(sequence.missing.map { sequence.sentence(of: $0) }.count == (second - 1 == first ? 0 : 1))
    }
}
