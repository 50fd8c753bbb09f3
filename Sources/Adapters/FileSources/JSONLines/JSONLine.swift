/// A line of a JSON Lines file: the fields of `POST /steps` and the optional fields of a sample.
struct JSONLine: Decodable {
    var uuid: String?
    var type: String?
    var startDate: String?
    var endDate: String?
    /// The number of steps; replaces `value` if that is missing.
    var count: Double?
    var value: Value?
    var unit: String?
    /// The origin's source name.
    var sourceBundleId: String?
    /// The origin's device.
    var sourceDeviceName: String?
    var timeZone: String?
    var wasUserEntered: Bool?
    var preAggregated: Bool?
    var externalID: String?
    var syncVersion: Int64?
    var minimum: Double?
    var maximum: Double?
    var measurementCount: Int?
    var stateMilliseconds: Int64?

    /// Whether the line states which sample it is. What a later file or post states for the same start does not replace it.
    var isIdentified: Bool { uuid != nil || externalID != nil }

    /// A number, or the name of a category's state.
    enum Value: Decodable {
        case number(Double)
        case name(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .name(try container.decode(String.self))
            }
        }
    }
}
