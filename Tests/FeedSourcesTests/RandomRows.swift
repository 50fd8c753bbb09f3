import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit

/// Rows of an export, including unusual ones.
enum RandomRows {
    private static let names = [
        "Anna’s Apple Watch", "iPhone\u{A0}15", "", "a,b \"c\"\r\n=1+1", "时钟\u{1F}\u{0B}\t", "\\back/slash", " padded ",
    ]
    private static let definitions: [SampleTypeDefinition] = [
        .stepCount, .heartRate, .sleepAnalysis, .walkingRunningDistance, .activeEnergyBurned,
    ]

    static let selection = SampleSelection(types: definitions)

    static func make(_ count: Int, seed: UInt64) -> [SampleRow] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in row(&generator) }
    }

    private static func row(_ generator: inout SeededGenerator) -> SampleRow {
        let definition = definitions.randomElement(using: &generator) ?? .stepCount
        let origin = SampleOrigin(
            sourceName: names.randomElement(using: &generator) ?? "",
            device: names.randomElement(using: &generator) ?? "",
            isUserEntered: Bool.random(using: &generator), isPreAggregated: Bool.random(using: &generator))
        let start = Int64.random(in: -2_000_000_000_000...4_000_000_000_000, using: &generator)
        let isWhole = Bool.random(using: &generator)
        let interval = InstantRange(
            start: Instant(milliseconds: isWhole ? start / 1000 * 1000 : start),
            end: Instant(
                milliseconds: (isWhole ? start / 1000 * 1000 : start) + Int64.random(in: 0...1, using: &generator)
                    * 59_000))
        let value = value(of: definition, &generator)
        let detail = Bool.random(using: &generator) ? detail(&generator) : nil
        let id = LibcryptoHasher().sampleID(
            type: definition.type, interval: interval, value: value, unit: definition.unit, origin: origin,
            detail: detail)
        return SampleRow(
            id: id, type: definition.type, origin: origin, interval: interval, value: value, unit: definition.unit,
            zoneName: Bool.random(using: &generator) ? "Asia/Kolkata" : nil, detail: detail)
    }

    private static func value(of definition: SampleTypeDefinition, _ generator: inout SeededGenerator) -> Double {
        if definition.kind == .category { return Double(Int.random(in: 0...5, using: &generator)) }
        let odd: [Double] = [
            0, 0.1, 1e-7, 123_456_789.123_456_78, .leastNonzeroMagnitude, -0x1p53, 65, 71.5,
        ]
        if definition.type == SampleTypeDefinition.stepCount.type, Bool.random(using: &generator) {
            return Double(Int.random(in: 0...20_000, using: &generator))
        }
        return odd.randomElement(using: &generator) ?? 0
    }

    private static func detail(_ generator: inout SeededGenerator) -> SampleDetail {
        let hasIdentity = Bool.random(using: &generator)
        return SampleDetail(
            externalID: hasIdentity ? "com.example.app/\(generator.next())" : nil,
            syncVersion: hasIdentity ? Int64(bitPattern: generator.next()) : nil, minimum: 48.25, maximum: 171,
            measurementCount: 60, stateMilliseconds: Bool.random(using: &generator) ? 5_400_000 : nil)
    }
}

extension SourceSample {
    init(_ row: SampleRow) {
        self.init(
            type: row.type, unit: row.unit, origin: row.origin, interval: row.interval, value: row.value,
            zoneName: row.zoneName, detail: row.detail)
    }
}
