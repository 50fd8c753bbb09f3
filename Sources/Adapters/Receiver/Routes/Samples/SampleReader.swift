import HealthSyncDomain

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
    private(set) var rejected: [RejectedRecord] = []
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
            try JSONText.read(body) { root in
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

    private mutating func add(_ element: JSONValue) {
        let members = SampleMembers(element)
        do throws(RejectedRecord) {
            var sample = try members.sample(form: form)
            sample.origin = try origin(of: members)
            batch.samples.append(sample)
        } catch {
            rejected.append(error)
        }
    }

    private mutating func origin(of members: SampleMembers) throws(RejectedRecord) -> Int {
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
