import HealthSyncDomain

/// A sample as a user writes it: `type,start,end,value,unit[,source]`.
struct PlainSample {
    static let sourceName = "Shortcuts"
    private static let table = SampleTypeTable.builtIn()

    var type = ""
    var start = ""
    /// Equal to `start` if empty.
    var end = ""
    var value = ""
    /// May be empty for counts and categories.
    var unit = ""
    var source = ""

    init() {}

    /// The fields of a line, separated by tabs, semicolons or commas; `nil` if there are too few.
    init?(line: ArraySlice<UInt8>) {
        guard line.count <= 4096, let text = String(validating: line, as: UTF8.self) else { return nil }
        let separators: [Unicode.Scalar] = ["\t", ";"]
        let separator = separators.first { text.unicodeScalars.contains($0) } ?? ","
        let fields = CSVLine.fields(text, separator: separator)
        guard fields.count >= 4 else { return nil }
        type = fields[0]
        start = fields[1]
        end = fields[2]
        value = separator == "," ? fields[3] : fields[3].replacing(",", with: ".")
        if fields.count > 4 { unit = fields[4] }
        if fields.count > 5 { source = fields[5] }
    }

    /// The members of an object with the names of the fields.
    init(_ object: JSONObject) {
        type = object.text("type") ?? ""
        start = object.text("start") ?? ""
        end = object.text("end") ?? ""
        value = object.text("value") ?? object.number("value").map(CanonicalNumber.text) ?? ""
        unit = object.text("unit") ?? ""
        source = object.text("source") ?? ""
    }

    /// Whether an object with these members is a sample.
    static func isOne(_ names: Set<String>) -> Bool {
        names.contains("sourceBundleId") || names.isSuperset(of: ["startDate", "endDate"])
            || names.isSuperset(of: ["type", "start", "value"])
    }

    var isHeader: Bool { type.lowercased() == "type" }
    var hasTime: Bool { StatedTime(start) != nil || LocalTime(start) != nil }

    func add(at node: JSONNode, to samples: inout PostSamples) throws {
        try samples.add(at: node) { samples throws(RejectedRecord) in
            let definition = try definition()
            guard let number = try number(of: definition) else {
                throw RejectedRecord(
                    "the value is not a number",
                    detail: definition.kind == .category
                        ? StateProblem.text(value, of: definition.type.rawValue) : nil)
            }
            let isPlain = unit.isEmpty && ["", "count"].contains(definition.unit)
            return SourceSample(
                type: definition.type, unit: isPlain ? definition.unit : InboxUnit.healthKit(PostSamples.short(unit)),
                origin: SampleOrigin(sourceName: source.isEmpty ? Self.sourceName : PostSamples.short(source)),
                interval: try samples.interval(start, end.isEmpty ? start : end), value: number,
                decimals: DecimalPlaces.decimals(inText: value.utf8))
        }
    }

    /// Returns the definition of the type given by HealthKit's identifier, by its short name, or as apps name it:
    /// `Heart Rate`, `Walking + Running Distance`.
    private func definition() throws(RejectedRecord) -> SampleTypeDefinition {
        if let known = Self.table.definition(named: type) { return known }
        let words = type.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
        var found: SampleType?
        switch HealthConnectTable.meaning(of: words) {
        case .figures(let figures)? where figures.count == 1: found = figures[0].type
        case .sleep?: found = SampleTypeDefinition.sleepAnalysis.type
        case .category(let category, _, _)?: found = category
        default: if case .quantity(let type, _, _)? = HealthAutoExportMetric(named: words) { found = type }
        }
        guard let found, let definition = Self.table[found] else {
            throw RejectedRecord("an unknown type", detail: "\"\(type.prefix(64))\" is no type of HealthKit")
        }
        return definition
    }

    private func number(of definition: SampleTypeDefinition) throws(RejectedRecord) -> Double? {
        if let number = JSONNode(checking: Array(value.utf8), in: 0..<value.utf8.count)?.number { return number }
        guard definition.kind == .category else { return nil }
        if definition.type == SampleTypeDefinition.sleepAnalysis.type {
            return Double(try SleepStateName.value(.name(value)))
        }
        return definition.categoryValues[value].map(Double.init)
    }
}
