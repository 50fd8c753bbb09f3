import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct SamplePageCodecTests {
    private let day = CalendarDay(ordinal: 19_737)

    @Test(arguments: Seeds.range(500))
    func encodedPagesAreDecoded(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let columns = randomColumns(&random).normalized().columns
        #expect(try SamplePageCodec.decode(SamplePageCodec.encode(columns, day: day)) == columns)
    }

    @Test(arguments: Seeds.range(100))
    func invalidBytesAreRejectedWithoutTrapping(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = SamplePageCodec.encode(randomColumns(&random).normalized().columns, day: day)
        for _ in 0..<40 {
            bytes.damage(using: &random)
            // Decoding must return, whatever the result.
            let decoded = try? SamplePageCodec.decode(bytes)
            #expect(decoded.map { $0.count <= bytes.count } ?? true)
        }
    }

    @Test func wholeSecondsAndSmallCountsTakeFewBytes() {
        var columns = SampleColumns()
        for minute in 0..<600 {
            columns.append(
                start: day.utcStart.milliseconds + Int64(minute) * 60_000, duration: 60_000, value: Double(minute % 120)
            )
        }
        #expect(SamplePageCodec.encode(columns, day: day).count == 10 + 600 * 4 + 1 + 2 + 600)
    }

    @Test("Pages of the former version are decoded")
    func formerPages() throws {
        // One sample of 60 seconds at 00:00:05 with the value 1.5, and one of 30 seconds at 00:00:09 with 2.
        let head: [UInt8] = [1, 4, 1, 8, 2, 0, 0, 0, 0x19, 0x4D, 0, 0, 0, 0, 0, 0]
        let values = [1.5, 2.0].flatMap { value in
            withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
        }
        let bytes = head + [5, 0, 0, 0, 9, 0, 0, 0] + [60, 30] + values
        #expect(bytes[0] == SamplePageCodec.formerVersion)
        let columns = try SamplePageCodec.decode(bytes)
        #expect(columns.starts == [5000, 9000].map { CalendarDay(ordinal: 0x4D19).utcStart.milliseconds + $0 })
        #expect(columns.durations == [60_000, 30_000])
        #expect(columns.values == [1.5, 2])
        #expect(columns.written.isEmpty)
        let again = SamplePageCodec.encode(columns, day: CalendarDay(ordinal: 0x4D19))
        #expect(try SamplePageCodec.decode(again) == columns)
        var joined = columns
        try SamplePageCodec.decode(again, onto: &joined)
        #expect(joined.values == [1.5, 2, 1.5, 2])
    }

    @Test("Six digits in any unit take three or four bytes, and the digits come back", arguments: ["km", "mi", "degF"])
    func writtenDigits(unit: String) throws {
        let conversions = [
            "km": UnitConversion(factor: 1), "mi": UnitConversion(factor: 1.609344),
            "degF": UnitConversion(factor: 5.0 / 9, offset: -160.0 / 9),
        ]
        let conversion = try #require(conversions[unit])
        let notation = ValueNotation(unit: unit, conversion: conversion, dropsZeros: true, canonicalUnit: "km")
        var columns = SampleColumns()
        let number = columns.number(of: notation)
        for minute in 0..<600 {
            let (digits, scale) = (Double(100_003 + minute * 7), Int8(6))
            columns.append(
                start: day.utcStart.milliseconds + Int64(minute) * 60_000, duration: 60_000,
                value: conversion(digits / 1e6), zoneName: nil, detail: nil,
                written: WrittenValue(notation: number, scale: digits.remainder(dividingBy: 10) == 0 ? 5 : scale))
        }
        let bytes = SamplePageCodec.encode(columns, day: day)
        #expect(bytes.count <= 600 * 7 + 50)
        #expect(try SamplePageCodec.decode(bytes) == columns)
    }

    private static func bytes(_ number: Double) -> [UInt8] {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
    }

    /// Stored tables and pages have these bytes, so a later version must write and read the same.
    @Test("A notation is stored as its flags, its unit, its factor and its offset")
    func storedNotation() throws {
        let miles = ValueNotation(unit: "mi", conversion: UnitConversion(factor: 1.5), dropsZeros: true)
        #expect(WrittenNumber(notation: miles, scale: 3).bytes == [3, 5, 2, 0x6D, 0x69] + Self.bytes(1.5))
        let degrees = ValueNotation(
            unit: "F", conversion: UnitConversion(factor: 0.5, offset: -16), dropsZeros: false)
        #expect(
            WrittenNumber(notation: degrees, scale: 1).bytes
                == [1, 3, 1, 0x46] + Self.bytes(0.5) + Self.bytes(-16))
        #expect(WrittenNumber(notation: .exportCanonical, scale: 0).bytes == [0, 4, 0])
    }

    @Test("A page states which notations and scales follow, and then these")
    func storedScales() throws {
        let miles = ValueNotation(unit: "mi", conversion: UnitConversion(factor: 1.5), dropsZeros: true)
        let section: [UInt8] = [1, 5, 2, 0x6D, 0x69] + Self.bytes(1.5)
        for (written, end) in [
            ([(1, 1), (1, 2)], [2, 1, 2]), ([(1, 1), (1, 1)], [0, 1]), ([(1, 1), (0, 1)], [1, 1, 0, 1]),
            ([(1, 1), (0, 2)], [3, 1, 0, 1, 2]),
        ] as [([(UInt16, Int8)], [UInt8])] {
            var columns = SampleColumns()
            _ = columns.number(of: miles)
            for (minute, form) in written.enumerated() {
                columns.append(
                    start: day.utcStart.milliseconds + Int64(minute) * 60_000, duration: 0, value: 1 / 3.0,
                    zoneName: nil,
                    detail: nil, written: WrittenValue(notation: form.0, scale: form.1))
            }
            let bytes = SamplePageCodec.encode(columns, day: day)
            #expect(Array(bytes.suffix(section.count + end.count)) == section + end, "\(written)")
        }
    }

    @Test("A value that no decimal number gives is stored as a double", arguments: [-0.0, 1 / 3.0, 1e300, -2.5e-200])
    func doubles(value: Double) throws {
        var columns = SampleColumns()
        let notation = columns.number(of: .exportCanonical)
        for value in [value, 0.5] {
            columns.append(
                start: day.utcStart.milliseconds, duration: 0, value: value, zoneName: nil, detail: nil,
                written: WrittenValue(notation: notation, scale: 1))
        }
        let decoded = try SamplePageCodec.decode(SamplePageCodec.encode(columns, day: day))
        #expect(decoded == columns)
        #expect(decoded.values[0].bitPattern == value.bitPattern)
    }

    private func randomColumns(_ random: inout SeededRandom) -> SampleColumns {
        var columns = SampleColumns()
        let unit: Int64 = Bool.random(using: &random) ? 1000 : 1
        let known = Self.notations.shuffled(using: &random).prefix(.random(in: 0...3, using: &random))
        var notations = known.map(Optional.some)
        if notations.isEmpty || Int.random(in: 0..<5, using: &random) == 0 { notations.append(nil) }
        for _ in 0..<Int.random(in: 1..<60, using: &random) {
            let start = day.utcStart.milliseconds + .random(in: 0..<(86_400_000 / unit), using: &random) * unit
            let hasDetail = Int.random(in: 0..<10, using: &random) == 0
            let (value, form) = randomValue(&random, in: notations)
            columns.append(
                start: start, duration: .random(in: 0..<5_000, using: &random) * unit, value: value,
                zoneName: ["Europe/Paris", "Asia/Tokyo", nil].randomElement(using: &random) ?? nil,
                detail: hasDetail ? SampleDetail(externalID: "id-\(start)", syncVersion: 3, minimum: 1.5) : nil,
                written: columns.writtenValue(of: form))
        }
        return columns
    }

    private func randomValue(
        _ random: inout SeededRandom, in notations: [ValueNotation?]
    ) -> (value: Double, form: WrittenNumber?) {
        var number =
            Bool.random(using: &random)
            ? Double(Int.random(in: 0..<70_000, using: &random)) : .random(in: -10..<10, using: &random)
        guard let notation = notations.randomElement(using: &random) ?? nil else { return (number, nil) }
        let scale = Int.random(in: 0...7, using: &random)
        let isFull = Int.random(in: 0..<50, using: &random) == 0
        if !isFull { number = (number * DecimalPlaces.powers[scale]).rounded() / DecimalPlaces.powers[scale] }
        return (
            notation.conversion(number),
            WrittenNumber(notation: notation, scale: isFull ? WrittenValue.full : Int8(scale))
        )
    }

    private static let notations: [ValueNotation] = [
        .exportCanonical, .feedCanonical,
        ValueNotation(unit: "mi", conversion: UnitConversion(factor: 1.609344), dropsZeros: true),
        ValueNotation(
            unit: "degF", conversion: UnitConversion(factor: 5.0 / 9, offset: -160.0 / 9), dropsZeros: false),
    ]

    @Test func zonesBeyondTheLimitOfAPageAreDropped() throws {
        var columns = SampleColumns()
        columns.append(start: day.utcStart.milliseconds, duration: 0, value: 1, zoneName: "Z/0")
        columns.zoneNames = (0..<65_534).map { "Z/\($0)" }
        var other = SampleColumns()
        for (minute, name) in ["Z/new", "Z/one too many", "Z/1"].enumerated() {
            other.append(
                start: day.utcStart.milliseconds + Int64(minute + 1) * 60_000, duration: 0, value: 1, zoneName: name)
        }
        columns.append(other)
        columns.append(start: day.utcStart.milliseconds + 600_000, duration: 0, value: 1, zoneName: "Z/another")
        #expect((0..<5).map(columns.zoneName) == ["Z/0", "Z/new", nil, "Z/1", nil])
        #expect(try SamplePageCodec.decode(SamplePageCodec.encode(columns, day: day)) == columns)
    }
}
