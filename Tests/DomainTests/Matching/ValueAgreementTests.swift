import Foundation
import HealthSyncTestKit
import Testing

@testable import HealthSyncDomain

@Suite("Values of two inputs agree to the digits that both keep")
struct ValueAgreementTests {
    /// A value as a source writes it.
    private struct Stated: CustomStringConvertible {
        let text: String
        let conversion: UnitConversion
        let value: Double
        let precision: ValuePrecision

        init(_ text: String, _ conversion: UnitConversion, isExport: Bool) {
            let number = Double(text) ?? .nan
            self.text = text
            self.conversion = conversion
            value = conversion(number)
            let places = DecimalPlaces.decimals(inText: text.utf8) ?? 0
            precision = ValuePrecision(
                of: value, notation: ValueNotation(unit: "u", conversion: conversion, dropsZeros: isExport),
                scale: DecimalPlaces.scale(of: number, decimals: places))
        }

        var description: String { "\(text) × \(conversion.factor) + \(conversion.offset)" }

        func agrees(with other: Stated) -> Bool {
            let agree = ValueAgreement.agree(value, precision, other.value, other.precision)
            #expect(agree == ValueAgreement.agree(other.value, other.precision, value, precision))
            return agree
        }
    }

    private static let canonical = UnitConversion(factor: 1)
    private static let mile = UnitConversion(factor: 1.609344)
    private static let fahrenheit = UnitConversion(factor: 5.0 / 9, offset: -160.0 / 9)

    @Test(
        "Half of the last digit that a source keeps",
        arguments: [
            // An export keeps six significant digits and drops zeros.
            ("0.230651", true, 5e-7), ("5", true, 5e-6), ("0.1", true, 5e-7), ("123456", true, 0.5),
            ("99999", true, 0.05), ("100000", true, 0.5), ("1.23457e+06", true, 5), ("1e+06", true, 5),
            ("1e-05", true, 5e-11), ("-0.230651", true, 5e-7), ("0", true, 0),
            // More digits than six were not dropped.
            ("1234567", true, 0.5), ("0.23065149", true, 5e-9), ("371.19718044428157", true, 0),
            // A feed keeps the digits that it writes.
            ("72", false, 0.5), ("72.0", false, 0.05), ("0.25", false, 0.005), ("1e3", false, 500), ("0", false, 0.5),
            ("371.19718044428157", false, 0), ("-1.5", false, 0.05), ("1e-30", false, 0), ("1e300", false, 0),
        ] as [(String, Bool, Double)])
    func half(text: String, isExport: Bool, half: Double) {
        let found = Stated(text, Self.canonical, isExport: isExport).precision.half
        #expect(abs(found - half) <= half * 1e-12)
        let converted = Stated(text, Self.mile, isExport: isExport).precision.half
        #expect(abs(converted - half * 1.609344) <= half * 1e-12)
    }

    @Test("Values agree up to half of the last digit and a billionth, and not beyond")
    func boundary() {
        func agree(_ left: Double, _ right: Double, _ half: Double, _ other: Double, sameUnit: Bool) -> Bool {
            ValueAgreement.agree(
                left, ValuePrecision(half: half, unit: Self.canonical), right,
                ValuePrecision(half: other, unit: sameUnit ? Self.canonical : Self.mile))
        }
        // In one unit the larger half, in two units the sum.
        #expect(agree(100, 100.5, 0.5, 0.25, sameUnit: true))
        #expect(!agree(100, 100.500_001, 0.5, 0.25, sameUnit: true))
        #expect(agree(100, 100.75, 0.5, 0.25, sameUnit: false))
        #expect(!agree(100, 100.750_001, 0.5, 0.25, sameUnit: false))
        #expect(ValuePrecision.conversionNoise == 1e-9)
        #expect(agree(1e6, 1e6 + 0.000_999, 0, 0, sameUnit: true))
        #expect(!agree(1e6, 1e6 + 0.001_001, 0, 0, sameUnit: true))
        #expect(agree(-1e6, -1e6 - 0.000_999, 0, 0, sameUnit: true))
        #expect(agree(0, 0, 0, 0, sameUnit: true))
        #expect(!agree(0, 1e-300, 0, 0, sameUnit: true))
        #expect(ValuePrecision.exportDigits == 6)
    }

    @Test("Of an export that an earlier version stored, six significant digits of an unknown unit are known")
    func unknownUnits() {
        func matched(_ value: Double, _ other: Double) -> Int {
            var (export, feed) = (SampleColumns(), SampleColumns())
            export.append(start: 0, duration: 0, value: value)
            feed.append(start: 0, duration: 0, value: other)
            return SampleMatching.matched([
                InputSamples(
                    input: InputSamples.exportProvider, origin: SampleOrigin(sourceName: "A"), columns: export),
                InputSamples(input: "feed", origin: SampleOrigin(sourceName: "A"), columns: feed),
            ]).reduce(0) { $0 + $1.columns.count }
        }
        #expect(ValuePrecision.unknownExportHalf == 5e-6)
        #expect(matched(0.230651 * 1.609344, 0.371_197_180_444_281_57) == 1)
        #expect(matched(100, 100.000_500_01) == 1)
        #expect(matched(100, 100.000_500_2) == 2)
        // The digits of the feed count as before.
        #expect(matched(72.4, 72) == 1)
        #expect(matched(72.6, 72) == 2)
    }

    /// HEALTHSYNC_THOROUGH=1 tries a million pairs of each kind.
    private static let pairs = ProcessInfo.processInfo.environment["HEALTHSYNC_THOROUGH"] == "1" ? 1_000_000 : 20_000

    private static let units: [[UnitConversion]] = [
        [canonical, mile, UnitConversion(factor: 0.001), UnitConversion(factor: 0.0003048)],
        [canonical, UnitConversion(factor: 1 / 4.184), UnitConversion(factor: 0.001)],
        [canonical, UnitConversion(factor: 29.5735295625), UnitConversion(factor: 1000)],
        [canonical, UnitConversion(factor: 0.45359237), UnitConversion(factor: 6.35029318)],
        [canonical, fahrenheit, UnitConversion(factor: 1, offset: -273.15)],
        [canonical, UnitConversion(factor: 18.015588)],
    ]

    /// Returns `value`, in the canonical unit, as a random source writes it.
    private func stated(_ value: Double, _ units: [UnitConversion], _ random: inout SeededRandom) -> Stated {
        let unit = units.randomElement(using: &random) ?? Self.canonical
        let number = (value - unit.offset) / unit.factor
        return switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: Stated(String(format: "%.6g", number), unit, isExport: true)
        case 5: Stated(String(format: "%.17g", number), unit, isExport: true)
        case 6: Stated(String(format: "%.\(Int.random(in: 6...9, using: &random))e", number), unit, isExport: false)
        default: Stated("\(number)", unit, isExport: false)
        }
    }

    private func value(_ random: inout SeededRandom) -> Double {
        let magnitude = Double.random(in: -4...5, using: &random)
        let sign = Int.random(in: 0..<4, using: &random) == 0 ? -1.0 : 1
        return Int.random(in: 0..<200, using: &random) == 0
            ? 0 : sign * pow(10, magnitude) * Double.random(in: 1..<10, using: &random)
    }

    @Test("No true pair is missed, and at most one of a thousand near neighbors agrees")
    func randomPairs() {
        var random = SeededRandom(seed: 35)
        var missed: [String] = []
        var confused = 0
        for _ in 0..<Self.pairs {
            guard let units = Self.units.randomElement(using: &random) else { return }
            let truth = value(&random)
            let left = stated(truth, units, &random)
            let right = stated(truth, units, &random)
            if !left.agrees(with: right) { missed.append("\(truth): \(left), \(right)") }
            // A difference of two hundred-thousandths is two to twenty units of the sixth digit.
            let share = 2e-5 * pow(10, Double.random(in: 0...3, using: &random))
            let zero = units.contains { $0.offset != 0 } ? 40.0 : 0
            let neighbor = truth + (truth.magnitude + zero) * share
            if neighbor != truth, left.agrees(with: stated(neighbor, units, &random)) { confused += 1 }
        }
        #expect(missed.isEmpty, "\(missed.prefix(5))")
        #expect(confused * 1000 <= Self.pairs, "\(confused)")
    }

    @Test("Of several candidates the nearest pair is joined first")
    func nearestFirst() throws {
        let feed = ["100.2", "100.3", "99.6"].map { Stated($0, Self.canonical, isExport: false) }
        let coarse = ["100", "100"].map { Stated($0, Self.canonical, isExport: false) }
        func columns(_ values: [Stated], scale: Int8) -> SampleColumns {
            var columns = SampleColumns()
            let notation = columns.number(of: .feedCanonical)
            for stated in values {
                columns.append(
                    start: 0, duration: 0, value: stated.value, zoneName: nil, detail: nil,
                    written: WrittenValue(notation: notation, scale: scale))
            }
            return columns
        }
        for flipped in [false, true] {
            let found = SampleMatching.matched([
                InputSamples(
                    input: flipped ? "a" : "b", origin: SampleOrigin(sourceName: "A"), columns: columns(feed, scale: 1)),
                InputSamples(
                    input: flipped ? "b" : "a", origin: SampleOrigin(sourceName: "A", device: "name:W"),
                    columns: columns(coarse, scale: 0)),
            ])
            // 99.6 is the farthest and remains alone; the others took the device.
            let joined = found.filter { $0.origin.device == "name:W" }.flatMap(\.columns.values)
            #expect(joined.sorted() == [100.2, 100.3])
            #expect(found.flatMap(\.columns.values).sorted() == [99.6, 100.2, 100.3])
        }
    }
}
