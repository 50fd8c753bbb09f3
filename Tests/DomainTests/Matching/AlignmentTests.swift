import HealthSyncDomain
import Testing

@Suite("Samples that are written in another unit keep their identity")
struct AlignmentTests {
    private static let mile = ValueNotation(
        unit: "mi", conversion: UnitConversion(factor: 1.609344), dropsZeros: true)
    private static let kilometer = ValueNotation.exportCanonical

    private func columns(_ numbers: [(start: Int64, number: Double)], _ notation: ValueNotation) -> SampleColumns {
        var columns = SampleColumns()
        for (start, number) in numbers {
            let form = columns.writtenValue(
                of: WrittenNumber(
                    notation: notation,
                    scale: DecimalPlaces.scale(of: number, decimals: DecimalPlaces.decimals(of: number))))
            columns.append(
                start: start, duration: 60_000, value: notation.conversion(number), zoneName: nil, detail: nil,
                written: form)
        }
        return columns.normalized().columns
    }

    @Test("A changed unit preference gives the same samples")
    func changedUnit() {
        let stored = columns([(0, 0.13457), (60_000, 0.23457), (120_000, 0.33457)], Self.kilometer)
        let again = columns([(0, 0.083618), (60_000, 0.145755), (180_000, 0.1)], Self.mile)
        let aligned = again.aligned(to: stored, isExport: true)
        #expect(aligned.values == [0.13457, 0.23457, 0.1 * 1.609344])
        #expect(aligned.writtenNumber(0)?.notation == Self.kilometer)
        #expect(aligned.writtenNumber(2)?.notation == Self.mile)
        #expect(stored.aligned(to: aligned, isExport: true) == stored)
    }

    @Test("Each stored sample is taken once, the nearest first, and an equal one stays")
    func oneEach() {
        let stored = columns([(0, 1.00001), (0, 1.00002)], Self.kilometer)
        let again = columns([(0, 0.621377), (0, 0.621384)], Self.mile)
        #expect(again.aligned(to: stored, isExport: true).values == [1.00001, 1.00002])
        #expect(stored.aligned(to: stored, isExport: true) == stored)
        #expect(SampleColumns().aligned(to: stored, isExport: true).isEmpty)
        #expect(stored.aligned(to: SampleColumns(), isExport: true) == stored)
    }

    @Test("In a feed, different values of one unit are different measurements")
    func feeds() {
        let glass = ValueNotation.feedCanonical
        let ounce = ValueNotation(
            unit: "fl_oz_us", conversion: UnitConversion(factor: 29.5735295625), dropsZeros: false)
        let stored = columns([(0, 250)], glass)
        let other = columns([(0, 250.3)], glass)
        #expect(other.aligned(to: stored, isExport: false) == other)
        let converted = columns([(0, 8.45351)], ounce)
        #expect(converted.aligned(to: stored, isExport: false).values == [250])
    }
}
