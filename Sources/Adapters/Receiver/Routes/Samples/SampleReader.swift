import HealthSyncDomain

/// Reads raw samples out of a request's body.
struct SampleReader {
    /// What the members of a sample are.
    enum Form {
        /// `count`, a whole number, not negative.
        case steps
        /// `value` and `unit`.
        case quantity
    }

    let form: Form
    private(set) var batch = ReceivedSampleBatch()
    /// The ids as the client wrote them, parallel to the batch's samples, are in the samples themselves.
    private(set) var rejected: [RejectedRecord] = []
    private var originIndices: [ReceivedOrigin: Int] = [:]
    private var previousOrigin: (origin: ReceivedOrigin, index: Int)?

    init(form: Form) { self.form = form }

    /// Reads the body of a request.
    ///
    /// - Throws: `Refusal` in the words that the endpoint's shape fixes; nothing is read then.
    static func read(_ body: [UInt8], form: Form) throws -> SampleReader {
        var reader = SampleReader(form: form)
        do {
            try JSONText.read(body) { root in
                guard root.isObject, let samples = root["samples"] else {
                    throw Refusal(.error(#"Invalid request body. Expected {"samples": [...]}"#))
                }
                guard samples.isArray else { throw Refusal(.error("samples must be a list")) }
                try samples.forEachElement { element in
                    guard element.isObject else { throw Refusal(.error("Each sample must be a JSON object")) }
                    reader.add(element)
                }
            }
        } catch is InvalidJSON {
            throw Refusal(.error("Invalid JSON"))
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
        // Mostly the one of the sample before: then no text is made of it.
        if let previousOrigin, OriginMembers.say(previousOrigin.origin, members, form: form) {
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
