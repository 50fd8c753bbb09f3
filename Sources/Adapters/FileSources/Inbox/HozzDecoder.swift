import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Hozz for iOS, which delivers HealthKit's samples and deletions in numbered batches, as JSON lines or one JSON array.
///
/// A record is `{"schemaVersion","id","type","kind","startDate","endDate","quantity":{"unit","value"}|"value",
/// "source":{"name"},"device","metadata"}`, a deletion `{"kind":"deletion","id","type"}`. Identifiers are HealthKit's.
struct HozzDecoder: InboxDecoder {
    private static let connectionTest = "hozzConnectionTest"

    var name: String { "Hozz" }
    var provider: String { "hozz" }
    var semantics: SourceSemantics { .changes }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        guard head.method == "POST" else { return false }
        if let schema = head.header("hozz-schema") { return schema == "hozz" }
        let outline = BodyStart(start)
        if head.header("hozz-batch-id") != nil { return !outline.has("data") }
        return outline.has("kind") && outline.has("schemaVersion")
    }

    func handshake(_ head: InboxHead, body: ArraySlice<UInt8>) -> InboxHandshake? {
        if head.method == "GET", head.path.isEmpty {
            return .open(InboxAnswer(json: #"{"service":"hozz-receiver","ready":true}"#))
        }
        guard head.method == "POST", body.count <= 4096, let object = JSONNode(Array(body))?.object else { return nil }
        if object.text("kind") == Self.connectionTest { return .paired(.ok) }
        guard head.path.last == "pair", let device = object.text("device") else { return nil }
        return .pairing(device: DecodedSamples.short(device), answer: Self.paired) { reason in
            var json = JSONWriter()
            json.beginObject()
            json.name("detail")
            json.string(reason)
            json.endObject()
            return InboxAnswer(status: 403, json: String(decoding: json.bytes, as: UTF8.self))
        }
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        PostReading(selection, in: context, receive: receive) { post, samples in
            let count =
                try post.body.first { $0 > 0x20 } == 0x5B ? Self.array(post, &samples) : Self.lines(post, &samples)
            let series = post.head.header("hozz-destination-id") ?? post.head.device
            if let number = post.head.header("hozz-batch-sequence").flatMap({ Int64($0) }) {
                samples.deliver(DeliveryNumber(series: "hozz/\(series.prefix(256))", number: number))
            }
            if let stated = post.head.header("hozz-record-count").flatMap({ Int($0) }), stated != count {
                samples.note("the app announced \(stated) records, and the post contains \(count)")
            }
        }
    }

    private static func array(_ post: InboxPost, _ samples: inout DecodedSamples) throws -> Int {
        var count = 0
        try post.json().forEachElement { element in
            count += 1
            try HozzRecord.add(element, to: &samples)
        }
        return count
    }

    private static func lines(_ post: InboxPost, _ samples: inout DecodedSamples) throws -> Int {
        let lines = TextLines(post.body)
        guard lines.contains(where: { JSONNode(checking: post.body, in: $0)?.isObject ?? false }) else {
            throw post.undecodable(
                "the body contains no JSON lines", advice: "choose NDJSON as the format of the destination in Hozz")
        }
        var count = 0
        for line in lines {
            count += 1
            guard let node = JSONNode(checking: post.body, in: line) else {
                samples.reject("not valid JSON", at: JSONNode(post.body, line))
                continue
            }
            try HozzRecord.add(node, to: &samples)
        }
        return count
    }

    @Sendable private static func paired(token: String, computer: String) -> InboxAnswer {
        var json = JSONWriter()
        json.beginObject()
        json.name("token")
        json.string(token)
        json.name("name")
        json.string(computer)
        json.endObject()
        return InboxAnswer(json: String(decoding: json.bytes, as: UTF8.self))
    }
}

/// A record of Hozz.
private enum HozzRecord {
    static func add(_ node: JSONNode, to samples: inout DecodedSamples) throws {
        guard let record = node.object, let kind = record.text("kind") else {
            return samples.reject("a record without a kind", at: node)
        }
        switch kind {
        case "quantity", "category":
            try samples.add(at: node) { samples throws(RejectedRecord) in try sample(record, kind, &samples) }
        case "deletion":
            guard let id = record.text("id") else { return samples.note("a deletion without an identifier") }
            samples.delete(id, of: record.text("type").map { SampleType(rawValue: DecodedSamples.short($0)) })
        case "sampleEncodingError": samples.reject("a sample that the app could not encode", at: node)
        default: samples.countSkipped(kind)
        }
    }

    private static func sample(
        _ record: JSONObject, _ kind: String, _ samples: inout DecodedSamples
    ) throws(RejectedRecord) -> SourceSample {
        guard let type = record.text("type"), !type.isEmpty else { throw RejectedRecord("a record without a type") }
        let quantity = record["quantity"]?.object
        guard let value = kind == "quantity" ? quantity?.number("value") : record.number("value") else {
            throw RejectedRecord("a record without a value")
        }
        let metadata = record["metadata"]?.object
        let decimals = (kind == "quantity" ? quantity?["value"] : record["value"])?.decimals
        return SourceSample(
            type: SampleType(rawValue: DecodedSamples.short(type)),
            unit: InboxUnit.healthKit(DecodedSamples.short(quantity?.text("unit"))),
            origin: SampleOrigin(
                sourceName: DecodedSamples.short(record["source"]?.object?.text("name")), device: device(record),
                isUserEntered: isTrue(metadata?["HKWasUserEntered"]?.object?["value"])),
            interval: try samples.interval(record.text("startDate"), record.text("endDate")), value: value,
            zoneName: metadata?["HKTimeZone"]?.object?.text("value").map { DecodedSamples.short($0) },
            detail: record.text("id").map { SampleDetail(externalID: DecodedSamples.externalID($0)) },
            decimals: decimals)
    }

    /// Returns whether a value of metadata is true: HealthKit stores a Boolean as a number.
    private static func isTrue(_ node: JSONNode?) -> Bool { node?.isTrue ?? false || node?.number == 1 }

    /// Returns HealthKit's text for the stable part of the device.
    private static func device(_ record: JSONObject) -> String {
        guard let device = record["device"]?.object else { return "" }
        let parts = [
            ("name", "name"), ("manufacturer", "manufacturer"), ("model", "model"), ("hardware", "hardwareVersion"),
        ]
        return DecodedSamples.short(
            parts.compactMap { label, member in device.text(member).map { "\(label):\($0)" } }.joined(separator: ", "))
    }
}

extension FileFormat {
    /// The files that Hozz for iOS writes into a folder, one for each batch, as JSON lines. Each file is a source of its
    /// own, so a file that was imported is not read again. `hasher` digests both ends of a file for its fingerprint.
    static func hozz(hasher: any ContentHasher) -> FileFormat {
        FileFormat("file or folder of Hozz") { path, context, cancellation in
            let paths = try FileStatus(path: path).isFolder ? hozzFiles(in: path) : [path]
            return try paths.filter { path in
                try cancellation.check()
                return try holdsHozzRecord(path)
            }
            .map { HozzFileSource(path: $0, context: context, hasher: hasher) }
        }
    }

    /// Returns the `.ndjson` files of a folder by name, which begins with the time of the batch.
    private static func hozzFiles(in folder: String) throws -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".ndjson") }.sorted()
            .map { folder + "/" + $0 }
            .filter { (try? FileStatus(path: $0).isRegular) ?? false }
    }

    /// Whether one of the first lines, or the first element of an array, has the members of a record of Hozz.
    private static func holdsHozzRecord(_ path: String) throws -> Bool {
        try SourceHead(path: path).text.split(separator: 0x0A).prefix(100).contains { line in
            let outline = BodyStart(line)
            return outline.has("kind") && outline.has("schemaVersion")
        }
    }
}

/// A batch of Hozz in a file: samples and deletions.
private struct HozzFileSource: HealthDataSource {
    // The app limits a batch to some megabytes. A file is held in memory while it is read.
    private static let largestFile: Int64 = 256 << 20

    let location: String
    private let context: SourceContext
    private let hasher: any ContentHasher
    private let decoder = HozzDecoder()

    init(path: String, context: SourceContext, hasher: any ContentHasher) {
        location = path
        self.context = context
        self.hasher = hasher
    }

    var provider: String { decoder.provider }
    var semantics: SourceSemantics { decoder.semantics }

    func fingerprint() async throws -> SourceFingerprint {
        try await BlockingWork.run { _ in
            try FileFingerprint(hasher: hasher).fingerprint(of: ReadableFile(path: location))
        }
    }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        try await BlockingWork.run { cancellation in
            let file = try ReadableFile(path: location)
            guard file.size <= Self.largestFile else {
                throw SyncFailure(
                    .badInput, subject: location, reason: "is larger than 256 MiB",
                    advice: "let the app deliver smaller batches")
            }
            let head = InboxHead(
                method: "POST", path: [], device: "",
                receivedAt: Instant(milliseconds: Int64(clamping: file.status.modified / 1_000_000)))
            let body = try file.bytes(at: 0, count: Int(Self.largestFile))
            try cancellation.check()
            var reading = decoder.reading(selection, in: context) { batch in
                try cancellation.check()
                try receive(batch)
            }
            try reading.take(InboxPost(id: URL(fileURLWithPath: location).lastPathComponent, head: head, body: body))
            return try reading.finish()
        }
    }
}
