/// The attributes of a `Record` that have a meaning here.
enum RecordAttribute: UInt8 {
    case type, sourceName, source, sourceVersion, device, unit, creationDate, startDate, endDate, value, min, max
    case average, recordCount

    /// Every attribute with its name.
    private static let names: [(String, RecordAttribute)] = [
        ("type", .type), ("sourceName", .sourceName), ("source", .source), ("sourceVersion", .sourceVersion),
        ("device", .device), ("unit", .unit), ("creationDate", .creationDate), ("startDate", .startDate),
        ("endDate", .endDate), ("value", .value), ("min", .min), ("max", .max), ("average", .average),
        ("recordCount", .recordCount),
    ]

    /// The attribute of that name. In a name that was read with `spaces` in it they are left out, and case does not
    /// matter.
    init?(name: String, spaces: Bool) {
        let sought = spaces ? name.lowercased().filter { !$0.isWhitespace } : name
        guard let found = Self.names.first(where: { (spaces ? $0.0.lowercased() : $0.0) == sought }) else { return nil }
        self = found.1
    }

    /// Whether it differs from record to record.
    var isVolatile: Bool {
        switch self {
        case .type, .sourceName, .source, .sourceVersion, .device, .unit: false
        default: true
        }
    }
}
