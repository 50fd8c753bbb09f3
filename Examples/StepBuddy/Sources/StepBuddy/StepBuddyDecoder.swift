import Foundation
public import HealthSyncDomain
public import HealthSyncPorts

/// The posts of StepBuddy: `{"app":"StepBuddy","samples":[{"type":…,"from":…,"to":…,"value":…,"unit":…}, …]}`.
public struct StepBuddyDecoder: InboxDecoder {
    /// Creates the decoder.
    public init() {}

    /// The name in messages.
    public var name: String { "StepBuddy" }
    /// The name for `pair --app`, and of the input.
    public var provider: String { "stepbuddy" }
    /// Posts add and correct samples, and delete none.
    public var semantics: SourceSemantics { .feed }

    /// Returns whether the body names the app.
    public func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        head.method == "POST" && start.first == UInt8(ascii: "{")
            && String(decoding: start, as: UTF8.self).contains(#""StepBuddy""#)
    }

    /// Returns a reading of posts.
    public func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        StepBuddyReading(samples: SampleCollector(selection, receive: receive))
    }
}

/// Decodes posts one after another.
struct StepBuddyReading: InboxReading {
    var samples: SampleCollector

    var account: SourceReading { samples.account }

    mutating func take(_ post: InboxPost) throws {
        let body: Body
        do { body = try JSONDecoder().decode(Body.self, from: Data(post.body)) } catch {
            throw SyncFailure(
                .badInput, subject: post.id, reason: "not a post of StepBuddy", advice: "send it again from the app")
        }
        for entry in body.samples {
            guard let entry, let start = RFC3339.instant(entry.from), let end = RFC3339.instant(entry.to), end >= start
            else {
                samples.reject("not a sample")
                continue
            }
            try samples.add(
                SourceSample(
                    type: samples.type(named: entry.type), unit: entry.unit,
                    origin: SampleOrigin(sourceName: "StepBuddy"), interval: InstantRange(start: start, end: end),
                    value: entry.value))
        }
    }

    mutating func finish() throws -> SourceReading { try samples.finish() }
}

/// The body of a post. An entry that cannot be decoded is `nil`, so that it costs only itself.
private struct Body: Decodable {
    let samples: [Entry?]

    private enum Key: CodingKey {
        case samples
    }

    init(from decoder: any Decoder) throws {
        var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .samples)
        var samples: [Entry?] = []
        while !list.isAtEnd { samples.append(try? Entry(from: list.superDecoder())) }
        self.samples = samples
    }
}

/// One sample of a post.
private struct Entry: Decodable {
    let type: String
    let from: String
    let to: String
    let value: Double
    let unit: String
}
