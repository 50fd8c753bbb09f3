/// The heart rates of one day, in thousandths of a beat per minute until printed.
struct TruthHeartRate: Sendable, Encodable {
    private var lowest: Int64
    private var highest: Int64
    private var sum: Int64
    private var count: Int64

    init(first value: Int64) {
        lowest = value
        highest = value
        sum = value
        count = 1
    }

    mutating func add(_ value: Int64) {
        lowest = min(lowest, value)
        highest = max(highest, value)
        sum += value
        count += 1
    }

    private enum CodingKeys: String, CodingKey {
        case min, mean, max, count
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Double(lowest) / 1000, forKey: .min)
        try container.encode(Double(highest) / 1000, forKey: .max)
        try container.encode(Double(sum) / Double(count) / 1000, forKey: .mean)
        try container.encode(count, forKey: .count)
    }
}
