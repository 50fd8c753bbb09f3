import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// What Apple Shortcuts and scripts send: lines `type,start,end,value,unit[,source]`, form fields with these names, and
/// JSON Lines as in `docs/formats.md`; one object, or an array of objects, is read too.
struct PlainLinesDecoder: InboxDecoder {
    let hasher: any ContentHasher

    var name: String { "Plain lines" }
    var provider: String { "jsonLines" }
    var semantics: SourceSemantics { .feed }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        guard head.method == "POST" || head.method == "PUT" else { return false }
        let bytes = Array(start)
        if let form = PlainForm(head, bytes) { return form.mayContainSamples }
        let outline = BodyStart(start)
        if outline.isObject || outline.isArray {
            return PlainSample.isOne(Set(outline.members.keys))
                || PlainSample.isOne(outline.members["samples"]?.names ?? [])
        }
        return TextLines(bytes).lazy.prefix(20).contains { PlainSample(line: bytes[$0])?.hasTime ?? false }
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        var meaning = JSONLineMeaning(selection, hasher: hasher)
        return PostReading(selection, in: context, receive: receive) { post, samples in
            samples.begin(post, stated: JSONNode(post.body)?.object?.text("timestamp"))
            if let form = PlainForm(post.head, post.body) {
                guard !form.isEmpty else { throw post.undecodable("the form contains no field `type`") }
                let node = JSONNode(post.body, 0..<post.body.count)
                for sample in form.samples { try sample.add(at: node, to: &samples) }
            } else if let whole = JSONNode(post.body), whole.isArray || whole.object?["samples"] != nil {
                let list = whole.isArray ? whole : whole.object?["samples"] ?? whole
                try list.forEachElement { try Self.add($0, &meaning, &samples) }
            } else if let whole = JSONNode(post.body), whole.isObject {
                try Self.add(whole, &meaning, &samples)
            } else {
                try Self.addLines(post, &meaning, &samples)
            }
        }
    }

    private static func addLines(
        _ post: InboxPost, _ meaning: inout JSONLineMeaning, _ samples: inout DecodedSamples
    ) throws {
        let lines = TextLines(post.body)
        let isKnown = lines.contains { line in
            JSONNode(checking: post.body, in: line)?.isObject ?? false
                || PlainSample(line: post.body[line])?.hasTime ?? false
        }
        guard isKnown else {
            throw post.undecodable(
                "the body contains no sample", advice: "send lines of the form type,start,end,value,unit")
        }
        for range in lines {
            let line = post.body[range]
            if line.first(where: { $0 > 0x20 }) == 0x7B {
                guard let node = JSONNode(checking: post.body, in: range) else {
                    samples.reject("not valid JSON", at: JSONNode(post.body, range))
                    continue
                }
                try add(node, &meaning, &samples)
            } else if let sample = PlainSample(line: line) {
                if !sample.isHeader { try sample.add(at: JSONNode(post.body, range), to: &samples) }
            } else {
                samples.reject("not a line of at least four fields", at: JSONNode(post.body, range))
            }
        }
    }

    private static func add(
        _ node: JSONNode, _ meaning: inout JSONLineMeaning, _ samples: inout DecodedSamples
    ) throws {
        guard let object = node.object else { return samples.reject("not a JSON object", at: node) }
        guard object["start"] != nil else { return try samples.add(node, as: &meaning) }
        try PlainSample(object).add(at: node, to: &samples)
    }
}

/// The fields of a form. A field with several lines contains the values of several samples, as Shortcuts writes a list; a
/// field with one line applies to all of them.
private struct PlainForm {
    private static let largest = 4 << 20
    private static let mostSamples = 100_000

    private var fields: [String: String] = [:]

    /// The fields of a request whose `Content-Type` is a form; `nil` for another request. `curl` states the type of a form
    /// for every body, so a body without a field of a sample is another request as well.
    init?(_ head: InboxHead, _ body: [UInt8]) {
        let type = head.header("content-type")?.asciiLowercased ?? ""
        if type.hasBytePrefix("application/x-www-form-urlencoded") {
            guard body.count <= Self.largest else { return nil }
            for pair in body.split(separator: UInt8(ascii: "&")) {
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                fields[Self.decoded(parts[0])] = Self.decoded(parts[1])
            }
            guard mayContainSamples else { return nil }
        } else if type.hasBytePrefix("multipart/form-data") {
            guard body.count <= Self.largest, let line = TextLines(body).first(where: { _ in true }) else { return }
            addParts(body, boundary: Array(body[line]).filter { $0 > 0x20 })
        } else {
            return nil
        }
    }

    var isEmpty: Bool { fields["type"] == nil || fields["start"] == nil || fields["value"] == nil }

    /// Whether a field of a sample is known, in a body of which only the beginning may be known.
    var mayContainSamples: Bool { ["type", "start", "value"].contains { fields[$0] != nil } }

    var samples: [PlainSample] {
        let columns = fields.mapValues { $0.split(whereSeparator: \.isNewline).map(String.init) }
        let count = min(Self.mostSamples, columns.values.map(\.count).max() ?? 0)
        func value(_ name: String, _ row: Int) -> String {
            guard let column = columns[name] else { return "" }
            return column.count == 1 ? column[0] : row < column.count ? column[row] : ""
        }
        return (0..<count).map { row in
            var sample = PlainSample()
            sample.type = value("type", row)
            sample.start = value("start", row)
            sample.end = value("end", row)
            sample.value = value("value", row)
            sample.unit = value("unit", row)
            sample.source = value("source", row)
            return sample
        }
    }

    private mutating func addParts(_ body: [UInt8], boundary: [UInt8]) {
        var name: String?
        var isContent = false
        var content: [String] = []
        func text(_ range: Range<Int>) -> String {
            String(decoding: body[range].drop { $0 == 0x0D }, as: UTF8.self).filter { $0 != "\r" }
        }
        var position = 0
        while position < body.count {
            let end = body[position...].firstIndex(of: 0x0A) ?? body.count
            let line = position..<end
            position = end + 1
            if body[line].starts(with: boundary) {
                if let name { fields[name] = content.joined(separator: "\n") }
                (name, isContent, content) = (nil, false, [])
            } else if isContent {
                content.append(text(line))
            } else if let header = Self.partName(text(line)) {
                name = header
            } else {
                isContent = !body[line].contains { $0 > 0x20 }
            }
        }
    }

    private static func partName(_ line: String) -> String? {
        guard line.asciiLowercased.hasBytePrefix("content-disposition:"),
            let start = line.utf8.firstRange(of: "name=\"".utf8)
        else { return nil }
        return String(line[start.upperBound...].parts(separatedBy: "\"", maxSplits: 1)[0])
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = HexDigits.value(rest[rest.startIndex]),
                let low = HexDigits.value(rest[rest.startIndex + 1])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A sample as a user writes it: `type,start,end,value,unit[,source]`.
private struct PlainSample {
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
        let separator = [UInt8(ascii: "\t"), UInt8(ascii: ";")].first { text.utf8.contains($0) } ?? UInt8(ascii: ",")
        let fields = CSVLine.fields(text, separator: separator)
        guard fields.count >= 4 else { return nil }
        type = fields[0]
        start = fields[1]
        end = fields[2]
        value = separator == UInt8(ascii: ",") ? fields[3] : fields[3].replacing(",", with: ".")
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

    func add(at node: JSONNode, to samples: inout DecodedSamples) throws {
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
                type: definition.type,
                unit: isPlain ? definition.unit : InboxUnit.healthKit(DecodedSamples.short(unit)),
                origin: SampleOrigin(sourceName: source.isEmpty ? Self.sourceName : DecodedSamples.short(source)),
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
