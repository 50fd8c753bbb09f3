import HealthSyncDomain

/// `POST /steps` and `POST /api/v1/samples/{type}`: stores raw samples, each id once.
struct PostSamples: Endpoint {
    let form: SampleReader.Form

    var operation: Operation {
        let isSteps = form == .steps
        let otherType =
            #"{"type":"string","pattern":"^[A-Za-z0-9._-]{1,128}$","not":{"const":"steps"}}"#
        return Operation(
            "POST", isSteps ? "/steps" : "/api/v1/samples/{type}", .scope(.ingest),
            OpenAPIOperation(
                summary: isSteps ? "Store step samples" : "Store samples of a type other than steps",
                path: isSteps ? [] : [("type", otherType)], body: isSteps ? "StepsRequest" : "SamplesRequest",
                responses: [(200, "SamplesResponse")], errors: OpenAPIOperation.writeErrors))
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let type = try request.sampleType()
        if form == .quantity, type == "steps" { throw RequestError(400, "use POST /steps for steps") }
        let (reader, key) = try await request.decoded {
            let body = try request.body()
            return (
                try SampleReader.read(body, form: form, atMost: request.services.limits.samples),
                try request.batchKey(of: body)
            )
        }
        let samples = reader.batch.samples
        let outcomes = try await request.store(.samples(type: type, reader.batch), key: key)
        let report = OutcomeReport(outcomes: outcomes, rejected: reader.rejected) { samples[$0].idText }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("saved")
        writer.integer(report.saved)
        writer.name("message")
        writer.string("Success")
        report.write(to: &writer)
        writer.endObject()
        return .json(writer.bytes)
    }
}

/// Reads the raw samples in the body of a request.
struct SampleReader {
    /// The members that contain the value of a sample.
    enum Form {
        /// `count`, an integer that is not negative.
        case steps
        /// `value` and `unit`.
        case quantity
    }

    let form: Form
    private(set) var batch = ReceivedSampleBatch()
    private(set) var rejected: [InvalidRecord] = []
    private var originIndices: [ReceivedOrigin: Int] = [:]
    private var previousOrigin: (origin: ReceivedOrigin, index: Int)?

    init(form: Form) { self.form = form }

    /// Reads the body of a request.
    ///
    /// - Throws: `RequestError` if the body has no array of objects, whose texts are part of the endpoint's contract, or if
    ///   it has more than `limit` samples.
    static func read(_ body: [UInt8], form: Form, atMost limit: Int) throws -> SampleReader {
        var reader = SampleReader(form: form)
        do {
            try JSONDocument.read(body) { root in
                guard root.isObject, let samples = root["samples"] else {
                    throw RequestError(.error(#"Invalid request body. Expected {"samples": [...]}"#))
                }
                guard samples.isArray else { throw RequestError(.error("samples must be a list")) }
                try samples.forEachElement { element in
                    guard element.isObject else { throw RequestError(.error("Each sample must be a JSON object")) }
                    guard reader.batch.samples.count + reader.rejected.count < limit else {
                        throw RequestError(413, "a request must have at most \(limit) samples")
                    }
                    reader.add(element)
                }
            }
        } catch is InvalidJSON {
            throw RequestError(.error("Invalid JSON"))
        }
        return reader
    }

    private mutating func add(_ element: ParsedJSON) {
        let members = SampleMembers(element)
        do throws(InvalidRecord) {
            var sample = try members.sample(form: form)
            sample.origin = try origin(of: members)
            batch.samples.append(sample)
        } catch {
            rejected.append(error)
        }
    }

    private mutating func origin(of members: SampleMembers) throws(InvalidRecord) -> Int {
        // Most samples have the origin of the previous one. Comparing bytes avoids creating strings.
        if let previousOrigin, OriginMembers.match(previousOrigin.origin, members, form: form) {
            return previousOrigin.index
        }
        let origin = try OriginMembers.origin(members, form: form)
        let index = originIndices[origin] ?? batch.origins.count
        if index == batch.origins.count {
            batch.origins.append(origin)
            originIndices[origin] = index
        }
        previousOrigin = (origin, index)
        return index
    }
}

/// The members of one sample, before validation.
private struct SampleMembers {
    private(set) var uuid: ParsedJSON?
    private(set) var start: ParsedJSON?
    private(set) var end: ParsedJSON?
    private(set) var count: ParsedJSON?
    private(set) var value: ParsedJSON?
    private(set) var unit: ParsedJSON?
    private(set) var bundleID: ParsedJSON?
    private(set) var deviceName: ParsedJSON?
    private(set) var revision: ParsedJSON?

    init(_ element: ParsedJSON) {
        var found = Self()
        element.forEachMember { name, value in
            if name == "uuid" {
                found.uuid = value
            } else if name == "startDate" {
                found.start = value
            } else if name == "endDate" {
                found.end = value
            } else if name == "count" {
                found.count = value
            } else if name == "sourceBundleId" {
                found.bundleID = value
            } else if name == "sourceDeviceName" {
                found.deviceName = value
            } else if name == "value" {
                found.value = value
            } else if name == "unit" {
                found.unit = value
            } else if name == "revision" {
                found.revision = value
            }
        }
        self = found
    }

    private init() {}

    /// The id as the client sent it; empty if it is missing.
    var idText: String { uuid?.string ?? "" }

    /// Returns the sample, with origin 0.
    func sample(form: SampleReader.Form) throws(InvalidRecord) -> ReceivedSample {
        func rejection(_ reason: String) -> InvalidRecord { InvalidRecord(id: idText, reason: reason) }
        guard let read = unsafe uuid?.withUTF8({ unsafe UUIDText.halves($0) }) else {
            throw rejection("uuid must be a string")
        }
        guard let halves = read else { throw rejection("uuid must be a UUID") }
        guard let start = time(start) else { throw rejection("startDate must be an RFC 3339 time from 1900 to 2200") }
        guard let end = time(end) else { throw rejection("endDate must be an RFC 3339 time from 1900 to 2200") }
        guard start <= end else { throw rejection("endDate is before startDate") }
        let revision: Int64
        switch self.revision {
        case nil: revision = 0
        case let stated? where stated.isNull: revision = 0
        case let stated?:
            guard let number = stated.integer, (0...ParsedJSON.largestExactInteger).contains(number) else {
                throw rejection("revision must be an integer from 0 to 2^53 - 1")
            }
            revision = number
        }
        return ReceivedSample(
            id: SampleID(high: halves.high, low: halves.low), start: start, end: end,
            value: try amount(form, rejection),
            revision: revision,
            isUppercase: halves.hasCapitals)
    }

    private func amount(
        _ form: SampleReader.Form, _ rejection: (String) -> InvalidRecord
    ) throws(InvalidRecord) -> Double {
        switch form {
        case .steps:
            guard let count = count?.integer, (0...ParsedJSON.largestExactInteger).contains(count) else {
                throw rejection("count must be an integer from 0 to 2^53 - 1")
            }
            return Double(count)
        case .quantity:
            guard let number = (value ?? count)?.number, PlausibleValue.contains(number) else {
                throw rejection("value must be a number between -2^53 and 2^53")
            }
            return number
        }
    }

    private func time(_ value: ParsedJSON?) -> Instant? {
        guard let instant = unsafe value?.withUTF8({ unsafe RFC3339.instant($0) }) ?? nil,
            instant >= Self.earliest, instant < Self.latest
        else { return nil }
        return instant
    }

    private static let earliest = CalendarDay(year: 1900, month: 1, day: 1)?.utcStart ?? Instant(milliseconds: 0)
    private static let latest = CalendarDay(year: 2201, month: 1, day: 1)?.utcStart ?? Instant(milliseconds: 0)
}

/// The members of a sample that describe its origin.
private enum OriginMembers {
    /// Returns the origin of a sample.
    static func origin(_ members: SampleMembers, form: SampleReader.Form) throws(InvalidRecord) -> ReceivedOrigin {
        func text(_ value: ParsedJSON?, _ name: String) throws(InvalidRecord) -> String? {
            guard let value, !value.isNull else { return nil }
            guard let text = value.string else {
                throw InvalidRecord(id: members.idText, reason: "\(name) must be a string")
            }
            guard text.unicodeScalars.count <= 1_000 else {
                throw InvalidRecord(id: members.idText, reason: "\(name) must have at most 1000 characters")
            }
            return text
        }
        let unit =
            switch form {
            case .steps: "count"
            case .quantity: try text(members.unit, "unit") ?? ""
            }
        return ReceivedOrigin(
            bundleID: try text(members.bundleID, "sourceBundleId") ?? "",
            deviceName: try text(members.deviceName, "sourceDeviceName"), unit: unit)
    }

    /// Returns whether the members describe `origin`, compared by bytes.
    static func match(_ origin: ReceivedOrigin, _ members: SampleMembers, form: SampleReader.Form) -> Bool {
        func matches(_ value: ParsedJSON?, _ text: String) -> Bool {
            guard let value, !value.isNull else { return false }
            return value.isString(text)
        }
        guard matches(members.bundleID, origin.bundleID) else { return false }
        if form == .quantity, !matches(members.unit, origin.unit) { return false }
        guard let device = origin.deviceName else { return members.deviceName?.isNull ?? true }
        return matches(members.deviceName, device)
    }
}
