import Foundation

/// The number of random cases of a test: `HEALTHSYNC_SEEDS` is `few` (the default), `some` or `many`. docs/development.md has
/// the tiers.
package enum Seeds: String {
    case few, some, many

    package static let amount: Seeds = {
        let name = ProcessInfo.processInfo.environment["HEALTHSYNC_SEEDS"] ?? "few"
        guard let amount = Seeds(rawValue: name) else {
            fatalError("HEALTHSYNC_SEEDS: unknown amount \"\(name)\"; use few, some or many")
        }
        return amount
    }()

    /// Returns the seeds of a test from 0 on: `some` of them, or a tenth of that, or twenty times as many.
    package static func range<Seed: FixedWidthInteger>(_ some: Seed) -> Range<Seed> {
        0..<count(few: Swift.max(1, some / 10), some: some, many: some * 20)
    }

    /// Returns the number for this run.
    package static func count<Number: FixedWidthInteger>(few: Number, some: Number, many: Number) -> Number {
        switch amount {
        case .few: few
        case .some: some
        case .many: many
        }
    }
}
