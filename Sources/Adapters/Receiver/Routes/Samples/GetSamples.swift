package import HealthSyncDomain
import HealthSyncPorts

/// `GET /steps` and `GET /api/v1/samples/{type}`: streams samples in the order in which they were stored.
struct GetSamples: Endpoint {
    let form: SampleReader.Form

    var operation: Operation {
        let isSteps = form == .steps
        return Operation(
            "GET", isSteps ? "/steps" : "/api/v1/samples/{type}", .scope(.read),
            OpenAPIOperation(
                summary: "Get \(isSteps ? "step samples" : "samples of a type") in the order in which they were stored",
                path: isSteps ? [] : [("type", OpenAPIOperation.Schema.sampleType)],
                query: [
                    .init(name: "from", schema: OpenAPIOperation.Schema.instant),
                    .init(name: "to", schema: OpenAPIOperation.Schema.instant), .limit(1_000_000),
                    .init(name: "cursor", schema: #"{"type":"integer","minimum":0,"maximum":9007199254740991}"#),
                ], responses: [(200, "Samples")], errors: OpenAPIOperation.readErrors))
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        var query = SampleQuery(user: request.user, type: try request.sampleType())
        query.from = try request.instant("from")
        query.until = try request.instant("to", isEnd: true)
        query.after = try request.integer("cursor", in: 0...ParsedJSON.largestExactInteger) ?? 0
        let limit = try request.integer("limit", in: 1...1_000_000).map { Int($0) }
        let isLines = request.http.head.acceptsLines
        // Without limit and cursor the response contains all samples, so the number sent is the total.
        let isPart = limit != nil || query.after > 0
        let total = isPart && !isLines ? try await request.services.store.sampleCount(query) : nil
        let stream = SampleStream(
            query, of: request.services.store, log: request.services.log, number: request.http.head.number,
            form: isLines ? .lines : .object, end: limit,
            total: total)
        try await stream.prepare()
        return HTTPResponse(
            status: 200, headers: [.init("Content-Type", isLines ? "application/x-ndjson" : "application/json")],
            body: .stream(stream))
    }
}

/// A body of stored samples that is created page by page.
private actor SampleStream: BodyStream {
    /// The format of the body.
    enum Form {
        /// `{"samples":[…],"total":n,"storedCount":n}`.
        case object
        /// One object per line.
        case lines
    }

    private let store: any ReceivedDataStore
    private let log: any EventLog
    private let number: Int
    private let form: Form
    private let end: Int?
    private var query: SampleQuery
    private var total: Int?
    private var sent = 0
    private var isFirst = true
    private var isDone = false
    private var firstPiece: [UInt8]?

    /// - Parameters:
    ///   - query: the samples; its limit is the size of a page.
    ///   - end: the maximum number of samples, `nil` for all.
    ///   - total: the total number of samples, `nil` to count them while they are sent.
    init(
        _ query: SampleQuery, of store: any ReceivedDataStore, log: any EventLog, number: Int, form: Form, end: Int?,
        total: Int?
    ) {
        self.query = query
        self.store = store
        self.log = log
        self.number = number
        self.form = form
        self.end = end
        self.total = total
    }

    /// Creates the first piece, so that an error of the store can still determine the status of the response.
    func prepare() async throws { firstPiece = try await nextPage() }

    func next() async throws -> [UInt8]? {
        if let piece = firstPiece {
            firstPiece = nil
            return piece
        }
        do {
            return try await nextPage()
        } catch {
            log.note(
                "a list of samples is incomplete: \(FailureText.of(error)) (request \(number))", level: .error)
            throw error
        }
    }

    private func nextPage() async throws -> [UInt8]? {
        guard !isDone else { return nil }
        var writer = JSONWriter(reserving: 64 << 10)
        if isFirst, form == .object { openObject(&writer) }
        if let end { query.limit = min(query.limit, max(0, end - sent)) }
        let page = try await store.samples(query)
        for sample in page.batch.samples {
            if form == .object, sent > 0 { writer.rawFragment([0x2C]) }
            var line = JSONWriter()
            SampleLine.write(
                sample, origin: page.batch.origin(of: sample), type: query.type, showsRevision: true, to: &line)
            writer.rawFragment(line.bytes)
            if form == .lines { writer.endLine() }
            sent += 1
        }
        isFirst = false
        if let next = page.next, end.map({ sent < $0 }) ?? true {
            query.after = next
        } else {
            isDone = true
            if form == .object { closeObject(&writer, next: page.next) }
        }
        let piece = writer.take()
        return piece.isEmpty ? nil : piece
    }

    private func openObject(_ writer: inout JSONWriter) { writer.rawFragment(Array(#"{"samples":["#.utf8)) }

    private func closeObject(_ writer: inout JSONWriter, next: Int64?) {
        // The original step app reads `storedCount`.
        writer.rawFragment(Array("],\"total\":\(total ?? sent),\"storedCount\":\(total ?? sent)".utf8))
        if let next { writer.rawFragment(Array(",\"next_cursor\":\"\(next)\"".utf8)) }
        writer.rawFragment(Array("}".utf8))
    }
}

/// The JSON of a stored sample.
private enum SampleLine {
    /// Writes one object. `type`, `value` and `unit` are only written for types other than steps, and the revision only
    /// if it is not 0 and `showsRevision`.
    static func write(
        _ sample: ReceivedSample, origin: ReceivedOrigin?, type: String, showsRevision: Bool = false,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.name("uuid")
        writer.string(sample.idText)
        if type != "steps" {
            writer.name("type")
            writer.string(type)
        }
        writer.name("startDate")
        writer.time(sample.start)
        writer.name("endDate")
        writer.time(sample.end)
        writer.name(type == "steps" ? "count" : "value")
        writer.number(sample.value)
        if type != "steps" {
            writer.name("unit")
            writer.string(origin?.unit ?? "")
        }
        writer.name("sourceBundleId")
        writer.string(origin?.bundleID ?? "")
        if let device = origin?.deviceName {
            writer.name("sourceDeviceName")
            writer.string(device)
        }
        if showsRevision, sample.revision != 0 {
            writer.name("revision")
            writer.integer(sample.revision)
        }
        writer.endObject()
    }
}

/// A line of `steps.jsonl`: the members of `POST /steps`, and no others.
package enum StepsLine {
    /// Returns the line, including its newline.
    @Sendable package static func bytes(_ sample: ReceivedSample, origin: ReceivedOrigin?) -> [UInt8] {
        var writer = JSONWriter()
        SampleLine.write(sample, origin: origin, type: "steps", to: &writer)
        writer.endLine()
        return writer.bytes
    }
}
