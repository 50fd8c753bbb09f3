/// The deliveries received of one numbered series, by which missing ones are noticed. A value without health data.
package struct DeliverySequence: Sendable, Hashable, Codable {
    /// A series of one app.
    package struct Key: Sendable, Hashable, Codable {
        /// The name of the app.
        package var sender: String
        /// The series within the app, such as a destination.
        package var series: String

        package init(sender: String, series: String) {
            self.sender = sender
            self.series = series
        }
    }

    package let key: Key
    /// The highest number received.
    package private(set) var last: Int64
    /// The numbers below `last` that were not received, in ascending order. Only the latest 1,000 gaps are kept.
    package private(set) var missing: [ClosedRange<Int64>] = []

    /// A series of which `first` is the first delivery received. Earlier ones are not counted as missing.
    package init(_ key: Key, first: Int64) {
        self.key = key
        last = first
    }

    /// Notes that delivery `number` was received; any number of times, in any order.
    package mutating func receive(_ number: Int64) {
        if number > last {
            if number > last + 1 { missing = Array((missing + [(last + 1)...(number - 1)]).suffix(Self.gapsKept)) }
            last = number
        } else if let index = missing.firstIndex(where: { $0.contains(number) }) {
            let gap = missing[index]
            var rest: [ClosedRange<Int64>] = []
            if gap.lowerBound < number { rest.append(gap.lowerBound...(number - 1)) }
            if number < gap.upperBound { rest.append((number + 1)...gap.upperBound) }
            missing.replaceSubrange(index...index, with: rest)
        }
    }

    /// Returns the gaps that `earlier`, a former state of this series, does not have.
    package func newGaps(since earlier: DeliverySequence?) -> [ClosedRange<Int64>] {
        missing.filter { gap in
            !(earlier?.missing.contains { $0.contains(gap.lowerBound) } ?? false)
        }
    }

    /// Returns a sentence about missing deliveries, such as `Hozz: deliveries 17–19 are missing`.
    package func sentence(of gap: ClosedRange<Int64>) -> String {
        gap.lowerBound == gap.upperBound
            ? "\(key.sender): delivery \(gap.lowerBound) is missing"
            : "\(key.sender): deliveries \(gap.lowerBound)–\(gap.upperBound) are missing"
    }

    private static let gapsKept = 1_000
}
