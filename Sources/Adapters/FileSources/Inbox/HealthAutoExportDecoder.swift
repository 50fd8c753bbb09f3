import HealthSyncDomain
import HealthSyncPorts

/// Health Auto Export's automation of the kind "REST API", version 2, whose bodies are the files that the app writes, as
/// JSON, or as CSV in a form.
///
/// Metrics and workouts are two automations. Hozz in its compatibility mode sends the same form.
struct HealthAutoExportDecoder: InboxDecoder {
    private static let headers = [
        "automation-id", "automation-name", "automation-aggregation", "automation-period",
    ]

    var name: String { "Health Auto Export" }
    var provider: String { "healthAutoExport" }
    var semantics: SourceSemantics { .feed }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        guard head.method == "POST" else { return false }
        if Self.headers.contains(where: { head.header($0) != nil }) { return true }
        if HealthAutoExportCSV(Array(start)) != nil { return true }
        let outline = BodyStart(start)
        return outline.isObject && outline.members["data"]?.isObject ?? false && !OpenWearablesDecoder.isOne(outline)
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        HealthAutoExportPosts(selection, in: context, receive: receive)
    }
}

/// Reads posts as files that were written when they were received.
private struct HealthAutoExportPosts: InboxReading {
    private var reading: HealthAutoExportReading
    private let clock: DayClock

    init(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) {
        clock = context.clock
        reading = HealthAutoExportReading(
            selection, clock: context.clock, cancellation: CancellationFlag(), receive: receive)
    }

    var account: SourceReading { reading.account }

    mutating func take(_ post: InboxPost) throws {
        if let csv = HealthAutoExportCSV(post.body) {
            return try reading.take(
                HealthAutoExportFile(csv, clock: clock, written: post.head.receivedAt), name: nil)
        }
        let file = HealthAutoExportFile(post.body, written: post.head.receivedAt)
        guard try post.json().isObject, file.form == .feed else {
            throw post.undecodable(
                "the body is not an object with a member `data`",
                advice: "choose JSON as the export format of the automation, and Export Version v2")
        }
        try reading.take(file, name: nil)
    }

    mutating func finish() throws -> SourceReading {
        try reading.finish()
        return reading.account
    }
}
