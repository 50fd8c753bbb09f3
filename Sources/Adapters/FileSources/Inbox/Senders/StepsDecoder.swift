import HealthSyncDomain
import HealthSyncPorts

/// The step app of the receiving API: `POST /steps` with `{"samples":[{"uuid","startDate","endDate","count",
/// "sourceBundleId","sourceDeviceName"}]}`, and `DELETE /steps`, which deletes everything that the app sent before.
struct StepsDecoder: InboxDecoder {
    let hasher: any ContentHasher

    var name: String { "Step app" }
    var provider: String { "steps" }
    var semantics: SourceSemantics { .changes }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        head.path.last == "steps" && (head.method == "POST" || head.method == "DELETE")
    }

    func handshake(_ head: InboxHead, body: ArraySlice<UInt8>) -> InboxHandshake? {
        head.method == "GET" && head.path == ["health"] ? .open(.ok) : nil
    }

    func answer(to head: InboxHead) -> InboxAnswer {
        InboxAnswer(
            json: head.method == "DELETE"
                ? #"{"message":"All steps deleted successfully"}"# : #"{"message":"Success"}"#)
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        var meaning = JSONLineMeaning(selection, hasher: hasher)
        return PostReading(selection, in: context, receive: receive) { post, samples in
            if post.head.method == "DELETE" {
                return samples.complete(
                    CompleteWindow(
                        start: Instant(milliseconds: PlausibleTime.firstMillisecond),
                        end: Instant(milliseconds: PlausibleTime.endMillisecond),
                        types: [SampleTypeDefinition.stepCount.type], date: post.head.receivedAt))
            }
            // A post that is decoded again does not restore what the app deleted after it.
            samples.version = post.head.receivedAt.milliseconds
            guard let list = try post.jsonObject()["samples"], list.isArray else {
                throw post.undecodable("the body contains no list `samples`")
            }
            try list.forEachElement { element in
                guard element.object?.number("count") != nil else {
                    return samples.reject("count is missing", at: element)
                }
                try samples.add(element, as: &meaning)
            }
        }
    }
}
