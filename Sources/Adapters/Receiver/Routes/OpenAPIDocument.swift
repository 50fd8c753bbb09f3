import HealthSyncDomain

/// The description of the API (OpenAPI 3.1).
private enum OpenAPIDocument {
    /// Returns the document for `operations`, as JSON. With `hasOpenAccess`, no operation requires a token.
    static func bytes(of operations: [Operation], version: String, hasOpenAccess: Bool) -> [UInt8] {
        var writer = JSONWriter(reserving: 16 << 10)
        writer.rawFragment(Array(#"{"openapi":"3.1.0","info":{"title":"healthsync receiving API","version":"#.utf8))
        writer.string(version)
        writer.rawFragment(Array(#"},"paths":{"#.utf8))
        let paths = Dictionary(grouping: operations, by: \.path).sorted { $0.key < $1.key }
        let texts = paths.map { path, operations in
            let methods = operations.map {
                #""\#($0.method.asciiLowercased)":\#(json(of: $0, hasOpenAccess: hasOpenAccess))"#
            }
            return #""\#(path)":{\#(methods.joined(separator: ","))}"#
        }
        writer.rawFragment(Array(texts.joined(separator: ",").utf8))
        writer.rawFragment(Array("},\"components\":{\"securitySchemes\":{\"token\":".utf8))
        writer.rawFragment(Array(#"{"type":"http","scheme":"bearer"}},"schemas":"#.utf8))
        writer.rawFragment(Array(OpenAPISchemas.json.utf8))
        writer.rawFragment(Array("}}".utf8))
        return writer.bytes
    }

    private static func json(of operation: Operation, hasOpenAccess: Bool) -> String {
        let words = operation.template.map { part in
            let letters = part.filter { $0.isLetter || $0.isNumber }
            return letters.prefix(1).uppercased() + letters.dropFirst()
        }
        let identifier = operation.method.asciiLowercased + words.joined()
        let security = hasOpenAccess || operation.requirement == .noToken ? "[]" : #"[{"token":[]}]"#
        return #"{"operationId":"\#(identifier)","security":\#(security),\#(operation.description.members)}"#
    }
}

/// The schemas of bodies by name. Unknown members are ignored. An invalid object in a list is rejected on its own, so
/// lists may contain any object.
private enum OpenAPISchemas {
    /// An object that contains the schemas, as JSON.
    static let json = ##"""
        {
        "Any":{"type":"object"},
        "Text":{"type":"string"},
        "Health":{"type":"object","required":["status"],"properties":{"status":{"const":"ok"}}},
        "Message":{"type":"object","required":["message"],"properties":{"message":{"type":"string"}}},
        "Problem":{"type":"object","anyOf":[{"required":["title","status"]},{"required":["error"]}],
          "properties":{"title":{"type":"string"},"status":{"type":"integer"},"error":{"type":"string"}}},
        "Time":{"type":"string","format":"date-time"},
        "Revision":{"type":["integer","null"],"minimum":0,"maximum":9007199254740991},
        "InvalidRecord":{"type":"object","description":"Any other object: not stored; the results contain its id and the reason"},
        "StepSample":{"type":"object","required":["uuid","startDate","endDate","count","sourceBundleId"],"properties":{
          "uuid":{"type":"string","format":"uuid"},"startDate":{"$ref":"#/components/schemas/Time"},
          "endDate":{"$ref":"#/components/schemas/Time"},"count":{"type":"integer","minimum":0,"maximum":9007199254740991},
          "sourceBundleId":{"type":"string","maxLength":1000},"sourceDeviceName":{"type":["string","null"],"maxLength":1000},
          "revision":{"$ref":"#/components/schemas/Revision"}}},
        "QuantitySample":{"type":"object","required":["uuid","startDate","endDate"],"properties":{
          "uuid":{"type":"string","format":"uuid"},"startDate":{"$ref":"#/components/schemas/Time"},
          "endDate":{"$ref":"#/components/schemas/Time"},"value":{"type":"number"},"unit":{"type":["string","null"],"maxLength":1000},
          "sourceBundleId":{"type":["string","null"],"maxLength":1000},
          "sourceDeviceName":{"type":["string","null"],"maxLength":1000},
          "revision":{"$ref":"#/components/schemas/Revision"}}},
        "StepsRequest":{"type":"object","required":["samples"],"properties":{
          "samples":{"type":"array","maxItems":5000,"items":{"anyOf":[{"$ref":"#/components/schemas/StepSample"},
          {"$ref":"#/components/schemas/InvalidRecord"}]}}}},
        "SamplesRequest":{"type":"object","required":["samples"],"properties":{
          "samples":{"type":"array","maxItems":5000,"items":{"anyOf":[{"$ref":"#/components/schemas/QuantitySample"},
          {"$ref":"#/components/schemas/InvalidRecord"}]}}}},
        "DeletionsRequest":{"type":"object","required":["deletions"],"properties":{
          "deletions":{"type":"array","maxItems":5000,"items":{"anyOf":[{"type":"object","required":["id"],"properties":{
          "id":{"type":"string","format":"uuid"},"revision":{"$ref":"#/components/schemas/Revision"}}},
          {"$ref":"#/components/schemas/InvalidRecord"}]}}}},
        "Samples":{"type":"object","required":["samples","total","storedCount"],"properties":{
          "samples":{"type":"array","items":{"type":"object","required":["uuid","startDate","endDate","sourceBundleId"]}},
          "total":{"type":"integer","minimum":0},
          "storedCount":{"type":"integer","minimum":0,"description":"the same as total"},"next_cursor":{"type":"string"}}},
        "Result":{"type":"object","required":["id","status"],"properties":{"id":{"type":"string"},
          "status":{"enum":["created","updated","duplicate","rejected","retry"]},"reason":{"type":"string"}}},
        "Counts":{"type":"object","required":["received","created","updated","duplicate","rejected","results"],
          "properties":{"received":{"type":"integer"},"created":{"type":"integer"},"updated":{"type":"integer"},
          "duplicate":{"type":"integer"},"rejected":{"type":"integer"},
          "results":{"type":"array","items":{"$ref":"#/components/schemas/Result"}},
          "omitted":{"type":"integer","minimum":1,"description":"rejected records without a result"}}},
        "SamplesResponse":{"allOf":[{"$ref":"#/components/schemas/Counts"},{"required":["saved","message"],
          "properties":{"saved":{"type":"integer"},"message":{"const":"Success"}}}]},
        "IngestResponse":{"allOf":[{"$ref":"#/components/schemas/Counts"},{"required":["success"],
          "properties":{"success":{"const":true}}}]},
        "DataResponse":{"type":"object","required":["success","data"],"properties":{"success":{"const":true},
          "data":{"type":"object"}}},
        "Stage":{"type":"object","required":["stage","start_time","end_time"],"properties":{
          "stage":{"enum":["in_bed","asleep","awake","core","deep","rem"]},
          "start_time":{"$ref":"#/components/schemas/Time"},"end_time":{"$ref":"#/components/schemas/Time"}}},
        "SleepSession":{"type":"object","required":["start_time","end_time"],"properties":{
          "start_time":{"$ref":"#/components/schemas/Time"},"end_time":{"$ref":"#/components/schemas/Time"},
          "source":{"type":["string","null"],"maxLength":1000},"source_id":{"type":["string","null"],"maxLength":256},
          "notes":{"type":["string","null"],"maxLength":10000},"revision":{"$ref":"#/components/schemas/Revision"},
          "stages":{"type":["array","null"],"items":{"$ref":"#/components/schemas/Stage"}},
          "day":{"type":["string","null"],"format":"date"},
          "night_id":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},
          "role":{"enum":["main","nap","additional",null]},
          "counted":{"oneOf":[{"$ref":"#/components/schemas/CountedSleep"},{"type":"null"}]}},
          "dependentRequired":{"day":["night_id","role"],"night_id":["day","role"]}},
        "CountedSleep":{"type":"object","properties":{
          "time_in_bed_minutes":{"$ref":"#/components/schemas/Minutes"},
          "asleep_minutes":{"$ref":"#/components/schemas/Minutes"},
          "awake_minutes":{"$ref":"#/components/schemas/Minutes"},
          "rem_minutes":{"$ref":"#/components/schemas/Minutes"},
          "core_minutes":{"$ref":"#/components/schemas/Minutes"},
          "deep_minutes":{"$ref":"#/components/schemas/Minutes"},
          "stretches":{"type":["array","null"],"maxItems":1000,"items":{"type":"object",
          "required":["start_time","end_time"],"properties":{"start_time":{"$ref":"#/components/schemas/Time"},
          "end_time":{"$ref":"#/components/schemas/Time"}}}}}},
        "Minutes":{"type":["number","null"],"minimum":0,"maximum":100000},
        "SleepRequest":{"anyOf":[{"allOf":[{"$ref":"#/components/schemas/SleepSession"},{"not":{"required":["sessions"]}}]},
          {"type":"object","required":["sessions"],"properties":{
          "sessions":{"type":"array","maxItems":100,"items":{"anyOf":[
          {"$ref":"#/components/schemas/SleepSession"},{"$ref":"#/components/schemas/InvalidRecord"}]}}}}]},
        "SleepResponse":{"allOf":[{"$ref":"#/components/schemas/Counts"},{"required":["success"],
          "properties":{"success":{"const":true},"session_id":{"type":"string","format":"uuid"},
          "data":{"type":["object","null"]},"sessions":{"type":"array","maxItems":100,"items":{"type":"object",
          "required":["source_id","session_id"],"properties":{"source_id":{"type":"string"},
          "session_id":{"type":"string","format":"uuid"}}}}}}]},
        "ProgressEntry":{"type":"object","required":["source_id","type","granularity","start","day","quantity"],
          "properties":{"source_id":{"type":"string","minLength":1,"maxLength":256},
          "type":{"type":"string","minLength":1,"maxLength":128},"granularity":{"enum":["hour","day"]},
          "start":{"$ref":"#/components/schemas/Time"},"day":{"type":"string","format":"date"},
          "quantity":{"type":"number","minimum":-9007199254740991,"maximum":9007199254740991},
          "min":{"type":["number","null"],"minimum":-9007199254740991,"maximum":9007199254740991},
          "max":{"type":["number","null"],"minimum":-9007199254740991,"maximum":9007199254740991},
          "count":{"type":["integer","null"],"minimum":0,"maximum":9007199254740991},
          "held_ms":{"type":["integer","null"],"minimum":0,"maximum":9007199254740991,
          "description":"milliseconds during which the measurements apply: the weight of a mean over time"},
          "unit":{"type":["string","null"],"maxLength":64},
          "revision":{"$ref":"#/components/schemas/Revision"}}},
        "ProgressRequest":{"type":"object","required":["entries"],"properties":{
          "entries":{"type":"array","maxItems":2000,"items":{"anyOf":[
          {"$ref":"#/components/schemas/ProgressEntry"},{"$ref":"#/components/schemas/InvalidRecord"}]}}}},
        "Figure":{"type":["number","null"],"minimum":0,"maximum":9007199254740991},
        "Snapshot":{"type":"object","required":["day"],"properties":{"day":{"type":"string","format":"date"},
          "source_id":{"type":["string","null"],"maxLength":256},"steps":{"$ref":"#/components/schemas/Figure"},
          "walking_distance_km":{"$ref":"#/components/schemas/Figure"},
          "active_energy_kcal":{"$ref":"#/components/schemas/Figure"},
          "exercise_minutes":{"$ref":"#/components/schemas/Figure"},
          "resting_heart_rate":{"$ref":"#/components/schemas/Figure"},
          "sleep_minutes":{"$ref":"#/components/schemas/Figure"},"revision":{"$ref":"#/components/schemas/Revision"}}},
        "SnapshotsRequest":{"type":"object","required":["snapshots"],"properties":{
          "snapshots":{"type":"array","maxItems":2000,"items":{"anyOf":[
          {"$ref":"#/components/schemas/Snapshot"},{"$ref":"#/components/schemas/InvalidRecord"}]}}}},
        "Capabilities":{"type":"object","required":["server","version","batch","max_body_bytes","gzip","digest",
          "record_digests","tombstones","sample_deletions","sleep_nights","inbox"],
          "properties":{"server":{"const":"healthsync"},"version":{"type":"string"},
          "batch":{"type":"object","additionalProperties":{"type":"integer"}},"max_body_bytes":{"type":"integer"},
          "gzip":{"type":"boolean"},"digest":{"type":"boolean"},"record_digests":{"type":"boolean"},
          "tombstones":{"type":"boolean"},"sample_deletions":{"type":"boolean"},
          "sleep_nights":{"type":"boolean"},"inbox":{"type":"boolean"}}},
        "WaitingPosts":{"type":"object","required":["posts"],"properties":{"posts":{"type":"array","maxItems":100,
          "items":{"type":"object","required":["id","bytes"],"properties":{"id":{"type":"string"},
          "bytes":{"type":"integer","minimum":0}}}}}},
        "ConfirmedPosts":{"type":"object","required":["success"],"properties":{"success":{"const":true}}},
        "SetDigest":{"type":"object","required":["count","sum","content"],"properties":{"count":{"type":"integer"},
          "sum":{"type":"string","pattern":"^[0-9a-f]{32}$"},"content":{"type":"string","pattern":"^[0-9a-f]{16}$"}}},
        "Digest":{"type":"object","required":["type","seconds","intervals"],"properties":{"type":{"type":"string"},
          "seconds":{"type":"integer"},"intervals":{"type":"array","items":{
          "allOf":[{"$ref":"#/components/schemas/SetDigest"},{"required":["start","halves"],"properties":{
          "start":{"$ref":"#/components/schemas/Time"},
          "halves":{"type":"array","items":{"$ref":"#/components/schemas/SetDigest"}}}}]}}}},
        "Content":{"type":"string","pattern":"^[0-9a-f]{16}$"},
        "RecordDigests":{"type":"object","required":["kind","months","deleted"],"properties":{"kind":{"type":"string"},
          "months":{"type":"array","items":{"type":"object","required":["month","count","content"],"properties":{
          "month":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}$"},"count":{"type":"integer","minimum":1},
          "content":{"$ref":"#/components/schemas/Content"}}}},
          "deleted":{"type":"object","required":["count","content"],"properties":{"count":{"type":"integer","minimum":0},
          "content":{"$ref":"#/components/schemas/Content"}}}}},
        "RecordEntries":{"type":"object","required":["kind","entries"],"properties":{"kind":{"type":"string"},
          "entries":{"type":"array","maxItems":5000,"items":{"type":"object","required":["id","revision","content"],
          "properties":{"id":{"type":"string"},"day":{"type":"string","format":"date"},
          "revision":{"type":"integer","minimum":0},"content":{"$ref":"#/components/schemas/Content"}}}},
          "next":{"type":"string"}}}
        }
        """##
}

/// `GET /openapi.json`: returns the description of the API.
struct GetOpenAPI: Endpoint {
    /// The document for a server that requires tokens.
    private let document: [UInt8]
    /// The document for a server that requires none.
    private let openDocument: [UInt8]

    let operation = Operation(
        "GET", "/openapi.json", .anyToken,
        OpenAPIOperation(summary: "Get this description", responses: [(200, "Any")], errors: [400, 401, 503]))

    /// Describes `endpoints` and this endpoint itself.
    init(describing endpoints: [any Endpoint], version: String) {
        let operations = endpoints.map(\.operation) + [operation]
        document = OpenAPIDocument.bytes(of: operations, version: version, hasOpenAccess: false)
        openDocument = OpenAPIDocument.bytes(of: operations, version: version, hasOpenAccess: true)
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        .json(request.http.caller.hasOpenAccess ? openDocument : document)
    }
}
