/// What the published description says of each operation.
enum OpenAPIText {
    private static let reading = [400, 401, 403, 503]
    private static let writing = [400, 401, 403, 413, 415, 422, 503]
    private static let uuid = #"{"type":"string","format":"uuid"}"#
    private static let type = #"{"type":"string","pattern":"^[A-Za-z0-9._-]{1,128}$"}"#
    private static let otherType =
        #"{"type":"string","pattern":"^[A-Za-z0-9._-]{1,128}$","not":{"const":"steps"}}"#
    private static let times =
        #"{"type":"array","minItems":1,"maxItems":100,"items":\#(OpenAPIOperation.Parameter.instant)}"#

    static let getHealth = OpenAPIOperation(
        summary: "Whether the server answers and can store", answers: [(200, "Health")], errors: [400, 503]
    ).json
    static let postSteps = OpenAPIOperation(
        summary: "Store step samples, each once", body: "StepsRequest", answers: [(200, "SamplesAnswer")],
        errors: writing
    ).json
    static let getSteps = samplesRead("Step samples in the order of storing", path: [])
    static let getSamples = samplesRead("Samples of a type in the order of storing", path: [("type", type)])
    static let postSamples = OpenAPIOperation(
        summary: "Store samples of a type other than steps, each once", path: [("type", otherType)],
        body: "SamplesRequest",
        answers: [(200, "SamplesAnswer")], errors: writing
    ).json
    static let deleteSteps = OpenAPIOperation(
        summary: "Forget all step samples", answers: [(200, "Message")], errors: reading
    ).json
    static let postSleep = OpenAPIOperation(
        summary: "Store a sleep session, or a list of them", body: "SleepRequest",
        answers: [(200, "SleepAnswer"), (201, "SleepAnswer")], errors: writing
    ).json
    static let getSleep = OpenAPIOperation(
        summary: "Sleep sessions by the day on which they began", query: [.from, .to, .limit(1_000), .offset],
        answers: [(200, "DataAnswer")], errors: reading
    ).json
    static let getCapabilities = OpenAPIOperation(
        summary: "What a request may hold", answers: [(200, "Capabilities")], errors: [400, 401, 503]
    ).json
    static let postProgress = OpenAPIOperation(
        summary: "Store figures of metrics by hour and day", body: "ProgressRequest",
        answers: [(200, "IngestAnswer")], errors: writing
    ).json
    static let getProgress = OpenAPIOperation(
        summary: "Figures of metrics",
        query: [
            .init(name: "type", schema: OpenAPIOperation.Parameter.text),
            .init(name: "granularity", schema: #"{"enum":["hour","day"]}"#), .from, .to, .limit(10_000), .offset,
        ], answers: [(200, "DataAnswer")], errors: reading
    ).json
    static let postSnapshots = OpenAPIOperation(
        summary: "Store activity snapshots of days", body: "SnapshotsRequest", answers: [(200, "IngestAnswer")],
        errors: writing
    ).json
    static let getSnapshots = OpenAPIOperation(
        summary: "Activity snapshots of days", query: [.from, .to, .limit(10_000), .offset],
        answers: [(200, "DataAnswer")], errors: reading
    ).json
    static let getSummary = OpenAPIOperation(
        summary: "The latest of everything", answers: [(200, "DataAnswer")], errors: reading
    ).json
    static let getDigest = OpenAPIOperation(
        summary: "Digests of the samples that begin within intervals, and within their halves",
        query: [
            .init(name: "type", schema: OpenAPIOperation.Parameter.text, isRequired: true),
            .init(name: "start", schema: times, isRequired: true, isList: true),
            .init(
                name: "seconds", schema: #"{"type":"integer","minimum":1,"maximum":1073741824}"#, isRequired: true),
        ], answers: [(200, "Digest")], errors: reading
    ).json
    static let getRecordDigests = OpenAPIOperation(
        summary: "Digests of the derived records of a kind by month, and of its tombstones",
        query: [recordKind, .from, .to], answers: [(200, "RecordDigests")], errors: reading
    ).json
    static let getRecordEntries = OpenAPIOperation(
        summary: "Id, revision and checksum of each derived record of a kind, by id",
        query: [
            recordKind, .from, .to, .init(name: "deleted", schema: #"{"type":"boolean"}"#),
            .init(name: "after", schema: OpenAPIOperation.Parameter.text), .limit(5_000),
        ], answers: [(200, "RecordEntries")], errors: reading
    ).json
    private static let recordKind = OpenAPIOperation.Parameter(
        name: "kind", schema: #"{"enum":["progress","sleep","snapshots"]}"#, isRequired: true)
    static let deleteRecord = OpenAPIOperation(
        summary: "Mark a record as deleted",
        path: [("id", ##"{"type":"string","pattern":"^[^\\u0000]+$","maxLength":256}"##)],
        query: [.revision], answers: [(200, "IngestAnswer")], errors: writing
    ).json
    static let deleteStep = OpenAPIOperation(
        summary: "Mark a step sample as deleted", path: [("id", uuid)], query: [.revision],
        answers: [(200, "IngestAnswer")], errors: writing
    ).json
    static let deleteSample = OpenAPIOperation(
        summary: "Mark a sample as deleted", path: [("type", type), ("id", uuid)], query: [.revision],
        answers: [(200, "IngestAnswer")], errors: writing
    ).json
    static let getMetrics = OpenAPIOperation(
        summary: "Counters and latencies in the Prometheus text form", answers: [(200, "Text")],
        errors: [400, 401, 403], mediaType: "text/plain"
    ).json
    static let getOpenAPI = OpenAPIOperation(
        summary: "This description", answers: [(200, "Any")], errors: [400, 401, 503]
    ).json

    private static func samplesRead(_ summary: String, path: [(name: String, schema: String)]) -> String {
        OpenAPIOperation(
            summary: summary, path: path,
            query: [
                .init(name: "from", schema: OpenAPIOperation.Parameter.instant),
                .init(name: "to", schema: OpenAPIOperation.Parameter.instant), .limit(1_000_000),
                .init(name: "cursor", schema: #"{"type":"integer","minimum":0,"maximum":9007199254740991}"#),
            ], answers: [(200, "Samples")], errors: reading
        ).json
    }
}
