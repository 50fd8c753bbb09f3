import HealthSyncDomain
import HealthSyncTestKit

/// Measurements of one source as four inputs contain them: an export with whole seconds and rounded values, an export
/// with another spelling of the name, a feed with milliseconds, a change stream with milliseconds and UUIDs.
struct RandomInputs {
    struct Measurement: Hashable {
        var start: Int64
        var duration: Int64
        var value: Double
        var id: String
    }

    static let inputs = ["export", "otherExport", "feed", "stream"]

    let measurements: [Measurement]
    private(set) var held: [String: [Measurement]] = [:]

    /// Every input contains a random part of the measurements; `complete` contains all.
    init(seed: UInt64, complete: String? = nil) {
        var random = SeededRandom(seed: seed)
        var measurements: [Measurement] = []
        for place in 0..<Int.random(in: 1...40, using: &random) {
            let second = Int64(place / 2 * 10)
            let value = Double(Int.random(in: 10...1999, using: &random)) / 10
            // Measurements with the same second and value: they differ only in milliseconds.
            for copy in 0..<Int64.random(in: 1...3, using: &random) {
                measurements.append(
                    Measurement(
                        start: second * 1000 + copy * 100 + 7, duration: Int64(place % 2) * 5000 + 13, value: value,
                        id: "00000000-0000-4000-8000-\(String(measurements.count + 100_000_000_000))"))
            }
        }
        self.measurements = measurements
        for input in Self.inputs {
            held[input] = measurements.filter { _ in input == complete || Int.random(in: 0..<3, using: &random) > 0 }
        }
    }

    func pages(in order: [String]) -> [InputSamples] {
        order.flatMap { input in
            // An input may contain one source in several pages.
            let all = held[input] ?? []
            return [Array(all.prefix(all.count / 2)), Array(all.dropFirst(all.count / 2))].map { part in
                InputSamples(input: input, origin: origin(input), columns: columns(part, in: input))
            }
        }
    }

    /// The expected number of measurements for each second, duration and rounded value: the maximum over the inputs.
    var expected: [[Int64]: Int] {
        var most: [[Int64]: Int] = [:]
        for part in held.values {
            let counts = Dictionary(grouping: part, by: Self.key).mapValues(\.count)
            most.merge(counts) { max($0, $1) }
        }
        return most
    }

    static func key(_ measurement: Measurement) -> [Int64] {
        let end = measurement.start + measurement.duration
        return [measurement.start / 1000, end / 1000, Int64(measurement.value.rounded())]
    }

    private func origin(_ input: String) -> SampleOrigin {
        switch input {
        case "export": SampleOrigin(sourceName: "Anna’s\u{A0}Caf\u{E9} Watch", device: "name:Apple Watch")
        case "otherExport":
            SampleOrigin(sourceName: "Anna’s Cafe\u{301} Watch", device: "name:Apple Watch, model:Watch")
        default: SampleOrigin(sourceName: "Anna’s Caf\u{E9} Watch")
        }
    }

    private func columns(_ part: [Measurement], in input: String) -> SampleColumns {
        var columns = SampleColumns()
        for item in part {
            let end = item.start + item.duration
            if input.lowercased().hasSuffix("export") {
                columns.append(
                    start: item.start / 1000 * 1000, duration: end / 1000 * 1000 - item.start / 1000 * 1000,
                    value: input == "export" ? item.value.rounded() : item.value)
            } else {
                columns.append(
                    start: item.start, duration: item.duration, value: item.value,
                    detail: input == "stream" ? SampleDetail(externalID: item.id) : nil)
            }
        }
        return columns
    }
}
