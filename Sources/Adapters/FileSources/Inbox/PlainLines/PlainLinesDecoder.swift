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
        _ post: InboxPost, _ meaning: inout JSONLineMeaning, _ samples: inout PostSamples
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
        _ node: JSONNode, _ meaning: inout JSONLineMeaning, _ samples: inout PostSamples
    ) throws {
        guard let object = node.object else { return samples.reject("not a JSON object", at: node) }
        guard object["start"] != nil else { return try samples.add(node, as: &meaning) }
        try PlainSample(object).add(at: node, to: &samples)
    }
}
