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

    func answer(to head: InboxHead, body: () async -> [UInt8]?) async -> InboxAnswer {
        guard head.method != "DELETE" else {
            return InboxAnswer(json: #"{"message":"All steps deleted successfully"}"#)
        }
        guard let saved = await body().flatMap({ usableSamples(InboxPost(id: "", head: head, body: $0)) }) else {
            return InboxAnswer(json: #"{"message":"Success"}"#)
        }
        return InboxAnswer(json: #"{"saved":\#(saved),"message":"Success"}"#)
    }

    /// Returns the number of samples in the post that are not rejected, or `nil` if it cannot be decoded.
    private func usableSamples(_ post: InboxPost) -> Int? {
        // Times contain their offset, so the zone has no effect.
        let context = SourceContext(clock: DayClock(home: .utc))
        var reading = reading(SampleSelection(types: [.stepCount]), in: context) { _ in }
        guard (try? reading.take(post)) != nil else { return nil }
        return reading.account.recordsRead - reading.account.rejected.values.reduce(0, +)
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
