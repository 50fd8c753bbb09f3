/// The interpreted attributes of a `Record`.
enum RecordAttribute: UInt8 {
    case type, sourceName, source, sourceVersion, device, unit, creationDate, startDate, endDate, value, min, max
    case average, recordCount

    /// The attributes with their names.
    private static let names: [(String, RecordAttribute)] = [
        ("type", .type), ("sourceName", .sourceName), ("source", .source), ("sourceVersion", .sourceVersion),
        ("device", .device), ("unit", .unit), ("creationDate", .creationDate), ("startDate", .startDate),
        ("endDate", .endDate), ("value", .value), ("min", .min), ("max", .max), ("average", .average),
        ("recordCount", .recordCount),
    ]

    /// Creates the attribute with this name. If the name was read with `spaces` in it, spaces and case are ignored.
    init?(name: String, spaces: Bool) {
        let sought = spaces ? name.lowercased().filter { !$0.isWhitespace } : name
        guard let found = Self.names.first(where: { (spaces ? $0.0.lowercased() : $0.0) == sought }) else { return nil }
        self = found.1
    }

    /// Whether the value differs from record to record.
    var isVolatile: Bool {
        switch self {
        case .type, .sourceName, .source, .sourceVersion, .device, .unit: false
        default: true
        }
    }
}
