package import HealthSyncDomain

/// A line of `steps.jsonl`: the members of `POST /steps`, and nothing else.
package enum StepsLine {
    /// The line with its end.
    @Sendable package static func bytes(_ sample: ReceivedSample, origin: ReceivedOrigin?) -> [UInt8] {
        var writer = JSONWriter()
        SampleLine.write(sample, origin: origin, type: "steps", to: &writer)
        writer.endLine()
        return writer.bytes
    }
}
